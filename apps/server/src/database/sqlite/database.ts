import BetterSqlite3 from 'better-sqlite3';
import type { Addition, Appended, Database } from '../database.ts';
import { type QueryRun, toRows } from '../query.ts';
import { IDS_EXHAUSTED } from './append.ts';
import { whileBusy } from './busy.ts';
import type { FileWatch } from './file-watch.ts';
import { Statements } from './statements.ts';
import { type Writer, WriterStalledError } from './writer.ts';

/** Reads run in this thread, because one takes less time than a turn of the event loop; writes in one of their own. */
export class SqliteDatabase implements Database {
  readonly classify = classify;
  readonly #connection: BetterSqlite3.Database;
  readonly #statements: Statements;
  readonly #files: FileWatch;
  readonly #writer: Writer;
  readonly #dataVersion: BetterSqlite3.Statement<[], bigint>;
  #closing: Promise<void> | undefined;

  constructor(connection: BetterSqlite3.Database, { files, writer }: { files: FileWatch; writer: Writer }) {
    this.#connection = connection;
    this.#statements = new Statements(connection);
    this.#files = files;
    this.#writer = writer;
    this.#dataVersion = connection.prepare<[], bigint>('pragma data_version').pluck();
  }

  /** SQLite shows no commit before it is durable. */
  async query<Row>(run: QueryRun<Row>): Promise<Row[]> {
    const { query, values } = run;
    const { statement, constants, columns } = this.#statements.prepare(query);
    if (statement.readonly) {
      return this.#readNow(() => toRows(query, { columns, rows: statement.all(constants, values) }));
    }
    const [rows = []] = await this.transact([run]);
    return rows;
  }

  async append(additions: readonly Addition[]): Promise<Appended[]> {
    const { appended = [] } = await this.#writer.send({ kind: 'append', additions });
    return [...appended];
  }

  async transact<Row>(runs: readonly QueryRun<Row>[]): Promise<Row[][]> {
    const statements = runs.map(({ query, values }) => {
      const { sql, constants } = this.#statements.prepare(query);
      return { sql, values: [constants, values] };
    });
    const { results = [] } = await this.#writer.send({ kind: 'run', statements });
    return runs.map(({ query }, index) => toRows(query, results[index]));
  }

  dataVersion(): number {
    return Number(this.#dataVersion.get());
  }

  [Symbol.asyncDispose]() {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The writer last: the last connection to close brings the log into the file, which waits for the disk. */
  async #close(): Promise<void> {
    this.#connection.close();
    await this.#writer.close();
  }

  #readNow<Result>(work: () => Result): Promise<Result> {
    return whileBusy(() => {
      this.#files.check();
      return work();
    });
  }
}

const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)/;

function classify(error: unknown) {
  if (error instanceof WriterStalledError) return 'unavailable';
  if (!(error instanceof BetterSqlite3.SqliteError)) return undefined;
  if (error.code === IDS_EXHAUSTED) return 'exhausted';
  return UNAVAILABLE.test(error.code) ? 'unavailable' : undefined;
}
