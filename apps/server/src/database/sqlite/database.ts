import BetterSqlite3 from 'better-sqlite3';
import type { Addition, Appended, Database } from '../database.ts';
import { type Parameters, type Query, type QueryRun, runOf, type Values } from '../query.ts';
import { IDS_EXHAUSTED } from './append.ts';
import { whileBusy } from './busy.ts';
import type { FileWatch } from './file-watch.ts';
import { Statements, toRows } from './statements.ts';
import { type Writer, WriterStalledError } from './writer.ts';

/** Reads run in this thread, because one takes less time than a turn of the event loop; writes in one of their own. */
export class SqliteDatabase implements Database {
  readonly classify = classify;
  /** Transactions run one at a time: with a second one, each would only have half of the rows. */
  readonly maxConcurrentAppends = 1;
  readonly #connection: BetterSqlite3.Database;
  readonly #statements: Statements;
  readonly #files: FileWatch;
  readonly #writer: Writer;
  readonly #dataVersion: BetterSqlite3.Statement<[], bigint>;
  readonly #anyRow: BetterSqlite3.Statement<[]>;
  #closing: Promise<void> | undefined;

  /** @param versionedTable a table that is there */
  constructor(
    connection: BetterSqlite3.Database,
    versionedTable: string,
    { files, writer }: { files: FileWatch; writer: Writer },
  ) {
    this.#connection = connection;
    this.#statements = new Statements(connection);
    this.#files = files;
    this.#writer = writer;
    this.#dataVersion = connection.prepare<[], bigint>('pragma data_version').pluck();
    this.#anyRow = connection.prepare(`select id from "${versionedTable}" limit 1`);
  }

  /** SQLite shows no commit before it is durable. */
  read<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>) {
    return this.#readNow(() => this.#statements.run(query, values));
  }

  async query<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>) {
    if (this.#statements.prepare(query).statement.readonly) return this.read(query, values);
    const [rows = []] = await this.transact([runOf(query, values)]);
    return rows;
  }

  async append(additions: readonly Addition[]): Promise<Appended[]> {
    const { appended = [] } = await this.#writer.send({ kind: 'append', additions });
    return [...appended];
  }

  async transact<Row>(runs: readonly QueryRun<Row>[]): Promise<Row[][]> {
    const statements = runs.map(({ query, values }) => {
      const { sql, bind } = this.#statements.prepare(query);
      return { sql, values: bind(values) };
    });
    const { results = [] } = await this.#writer.send({ kind: 'run', statements });
    return runs.map(({ query }, index) => {
      const { columns = [], rows = [] } = results[index] ?? {};
      return toRows(query, columns, rows);
    });
  }

  dataVersion(): number {
    return Number(this.#dataVersion.get());
  }

  async probe() {
    await this.#readNow(() => this.#anyRow.get());
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
