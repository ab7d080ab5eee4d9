import { realpathSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import type { Addition, Appended, Database, SchemaAccess } from '../database.ts';
import { type QueryRun, toRows } from '../query.ts';
import type { Schema } from '../schema.ts';
import { classify } from './errors.ts';
import { watchFiles } from './file-watch.ts';
import { openFile } from './open.ts';
import { createPrepare } from './statements.ts';
import { Writer } from './writer.ts';
import type { WriterOutcome, WriterTask } from './writer-thread.ts';

/** How old a check of the files may be when a statement starts. They are also checked after each commit. */
const CHECK_INTERVAL_MS = 1_000;

interface OpenFile {
  readonly connection: BetterSqlite3.Database;
  readonly prepare: ReturnType<typeof createPrepare>;
  readonly readVersion: BetterSqlite3.Statement<[], bigint>;
  readonly writer: Writer;
  readonly findMoved: () => string | undefined;
}

/** Reads run in this thread: a read takes less time than a message to another thread. Writes run in another thread. */
export class SqliteDatabase implements Database {
  readonly classify = classify;
  /** SQLite runs one transaction at a time. Two batches would each have half of the rows. */
  readonly maxConcurrentAppends = 1;
  readonly #name: string;
  readonly #schema: Schema;
  #opened: OpenFile | undefined;
  #checkedAt = -Infinity;

  constructor(name: string, schema: Schema) {
    this.#name = name;
    this.#schema = schema;
  }

  async open(access: SchemaAccess): Promise<string[]> {
    const { connection, applied } = await openFile(this.#name, this.#schema, access);
    const { applicationId, append } = this.#schema;
    // SQLite resolves symbolic links, so the log is beside the real file.
    const file = realpathSync(connection.name);
    // A write in this thread would wait for the disk.
    connection.pragma('query_only = ON');
    this.#opened = {
      connection,
      prepare: createPrepare(connection),
      readVersion: connection.prepare<[], bigint>('pragma data_version').pluck(),
      writer: new Writer(append.sqliteThread, { file, applicationId }),
      findMoved: watchFiles([file, `${file}-wal`]),
    };
    return applied;
  }

  /** SQLite shows no commit before it is durable. */
  async query<Row>(run: QueryRun<Row>): Promise<Row[]> {
    const { query, values } = run;
    const { statement, columns, constants } = this.#file.prepare(query);
    if (statement.readonly) {
      this.#checkFiles(CHECK_INTERVAL_MS);
      return toRows(query, { columns, rows: statement.all(constants, values) });
    }
    const [rows = []] = await this.transact([run]);
    return rows;
  }

  async append(additions: readonly Addition[]): Promise<Appended[]> {
    return (await this.#write({ additions })).appended;
  }

  async transact<Row>(runs: readonly QueryRun<Row>[]): Promise<Row[][]> {
    const prepared = runs.map(({ query }) => this.#file.prepare(query));
    const statements = prepared.map(({ statement, constants }, index) => ({
      sql: statement.source,
      values: [constants, runs[index]?.values],
    }));
    const { results } = await this.#write({ statements });
    return runs.map(({ query }, index) =>
      toRows(query, { columns: prepared[index]?.columns ?? [], rows: results[index] ?? [] }),
    );
  }

  dataVersion(): number {
    return Number(this.#file.readVersion.get());
  }

  /** Closes the writer last, because the last connection brings the log into the file, and waits for the disk. */
  async [Symbol.asyncDispose]() {
    if (!this.#opened?.connection.open) return;
    const { connection, writer, findMoved } = this.#opened;
    // SQLite would leave the log of a moved file, and the next start would take it for the log of the new file.
    if (findMoved() !== undefined) connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.close();
    await writer.close();
  }

  get #file(): OpenFile {
    if (this.#opened !== undefined) return this.#opened;
    throw new BetterSqlite3.SqliteError(`${this.#name} is not open yet`, 'SQLITE_CANTOPEN');
  }

  async #write(task: WriterTask): Promise<WriterOutcome> {
    this.#checkFiles(CHECK_INTERVAL_MS);
    const outcome = await this.#file.writer.send(task);
    // A commit to a moved file must not be acknowledged.
    this.#checkFiles();
    return outcome;
  }

  /** @throws SqliteError `SQLITE_READONLY_DBMOVED` when one of the files was removed or replaced */
  #checkFiles(maxAgeMs = 0): void {
    const now = performance.now();
    if (now < this.#checkedAt + maxAgeMs) return;
    const moved = this.#file.findMoved();
    if (moved !== undefined) {
      throw new BetterSqlite3.SqliteError(
        `${moved} was removed or replaced while the service ran: put it back, or restart the service`,
        'SQLITE_READONLY_DBMOVED',
      );
    }
    this.#checkedAt = now;
  }
}
