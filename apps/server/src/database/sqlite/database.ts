import BetterSqlite3 from 'better-sqlite3';
import { Batcher } from '../batcher.ts';
import type { Addition, Database, Session } from '../database.ts';
import { type Int64, NO_ID } from '../int64.ts';
import type { Parameters, Query, Values } from '../query.ts';
import type { Schema } from '../schema.ts';
import { createAppend } from './append.ts';
import { whileBusy } from './busy.ts';
import type { Durable, DurableMark } from './files/durable-mark.ts';
import { FileGoneError, type FileWatch } from './files/file-watch.ts';
import { type LogSync, LogSyncError } from './files/log-sync.ts';
import { Statements } from './statements.ts';
import { type TableVersion, VersionReader } from './version-reader.ts';

/** Reads at most that share a transaction, so that the first response of many is not late. */
const MAX_READS = 32;

/**
 * One connection runs everything. A read takes less time than a turn of the event loop, so it runs
 * synchronously; a separate connection for reads was slower, because every commit emptied its page cache.
 */
export class SqliteDatabase implements Database {
  readonly classify = classify;
  /** Transactions run one at a time: with a second one, each would only have half of the rows. */
  readonly maxConcurrentAppends = 1;
  readonly #connection: BetterSqlite3.Database;
  readonly #files: FileWatch;
  readonly #log: LogSync;
  readonly #statements: Statements;
  readonly #versions: VersionReader;
  readonly #append: ReturnType<typeof createAppend>;
  /**
   * Reads that arrive together share a transaction, which begins after their requests have arrived: none sees less than was
   * committed before. In a transaction of its own for each, SQLite takes and drops locks and looks whether the file has
   * changed: an uncached pet takes 1.27 times the processor time over 32 connections, and 0.88 times over one, whose
   * reads share none (medians of five and three pairs of processes, 20,000 and 8,000 requests of each).
   */
  readonly #reads: Batcher<() => void, TableVersion>;
  readonly #mark: DurableMark;
  #durable: Durable | undefined;
  #isInTransaction = false;
  /** Fulfilled when the last of the transactions so far has ended. */
  #transactions: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  /** @param schema whose versioned table is there */
  constructor(
    connection: BetterSqlite3.Database,
    schema: Schema,
    { files, log, mark }: { files: FileWatch; log: LogSync; mark: DurableMark },
  ) {
    this.#connection = connection;
    this.#files = files;
    this.#log = log;
    this.#statements = new Statements(connection);
    this.#versions = new VersionReader(connection, schema.versionedTable);
    this.#append = createAppend(connection, schema);
    const readAll = connection.transaction((reads: readonly (() => void)[]) => {
      for (const read of reads) read();
    });
    this.#reads = new Batcher<() => void, TableVersion>(
      (reads) =>
        this.#outsideTransactions(() => {
          // The version that is known: it may be older than what is read, but asking for it takes as long as a read.
          const version = this.#versions.last;
          readAll(reads);
          return reads.map(() => version);
        }),
      { maxSize: MAX_READS, maxConcurrent: 1, isolates: (error) => classify(error) === undefined },
    );
    this.#mark = mark;
    const marked = mark.read();
    // A file that was put in the place of another one may have fewer rows.
    if (marked && marked.id <= this.#versions.read().newestId) this.#durable = marked;
  }

  async read<Named extends Parameters, Row extends { readonly id: Int64 }>(
    query: Query<Named, Row>,
    values: Values<Named>,
  ) {
    let value: Row[] = [];
    await this.#reads.add(() => {
      value = this.#run(query, values);
    });
    const newest = value.at(-1)?.id;
    if (newest !== undefined && newest > this.#durableId) await this.makeDurable();
    return value;
  }

  query<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>) {
    return this.#outsideTransactions(() => this.#run(query, values));
  }

  version() {
    return this.#outsideTransactions(() => this.#versions.read());
  }

  async probe() {
    const { newestId } = await this.version();
    // Where nothing is known to be durable, reads wait for the disk too.
    if (newestId > NO_ID && this.#durableId === NO_ID) this.#log.checkWritable();
  }

  append(additions: readonly Addition[]) {
    return this.transact(async () => {
      this.#versions.forget();
      return this.#append(additions);
    });
  }

  async transact<Result>(work: (transaction: Session) => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#transactions;
    this.#transactions = promise;
    await before;
    const result = await whileBusy(() => this.#runTransaction(work)).finally(resolve);
    // Also where this transaction only read: what it found may be from another process, and not durable yet.
    await this.makeDurable();
    return result;
  }

  [Symbol.asyncDispose]() {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#transactions;
    await this.#log.close();
    this.#mark.close();
    if (this.#files.findChanged() !== undefined) emptyLog(this.#connection);
    this.#connection.close();
  }

  async #runTransaction<Result>(work: (transaction: Session) => Promise<Result>): Promise<Result> {
    const connection = this.#connection;
    this.#check();
    this.#log.checkWritable();
    // Takes the write lock at once: a transaction that begins by reading could not wait for it later.
    connection.exec('begin immediate');
    this.#isInTransaction = true;
    try {
      // A pet that is added after a restore may get the id of one that is cached.
      this.#versions.read();
      const result = await work({ query: async (query, values) => this.#run(query, values) });
      connection.exec('commit');
      // What is in a file that was moved away must not be acknowledged.
      this.#files.checkNow();
      return result;
    } finally {
      // After some errors, such as a full disk, SQLite has rolled back already.
      if (connection.inTransaction) connection.exec('rollback');
      this.#isInTransaction = false;
    }
  }

  /** Runs synchronous work at once, or when the present transaction has ended: its rows are not committed. */
  #outsideTransactions<Result>(work: () => Result): Promise<Result> {
    return whileBusy(() => {
      if (this.#isInTransaction) return this.#transactions.then(() => this.#outsideTransactions(work));
      this.#check();
      return work();
    });
  }

  /** Makes all rows durable that are there now, whichever process has added them. */
  async makeDurable(): Promise<void> {
    const { newestId } = await whileBusy(() => this.#versions.read());
    const { schema } = this.#versions;
    await this.#log.sync();
    // A restore meanwhile may have brought other rows with lower ids, which are not known to be durable.
    if (schema === undefined || schema !== this.#versions.schema || newestId <= this.#durableId) return;
    this.#durable = { schema, id: BigInt(newestId) };
    this.#mark.write(this.#durable);
  }

  get #durableId(): Int64 {
    const { schema } = this.#versions;
    return schema !== undefined && schema === this.#durable?.schema ? this.#durable.id : NO_ID;
  }

  #check(): void {
    this.#files.check();
    this.#log.check();
  }

  #run<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>): Row[] {
    if (!this.#statements.isReadonly(query)) this.#versions.forget();
    return this.#statements.run(query, values);
  }
}

/**
 * Brings what is in the write-ahead log into the file that was moved away. SQLite would leave it, and the
 * next start would take it for the log of the file in its place.
 */
function emptyLog(connection: BetterSqlite3.Database): void {
  try {
    connection.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // There is no room, or the log itself is gone.
  }
}

const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)/;

function classify(error: unknown) {
  const isUnavailable =
    error instanceof BetterSqlite3.SqliteError
      ? UNAVAILABLE.test(error.code)
      : error instanceof FileGoneError || error instanceof LogSyncError;
  return isUnavailable ? 'unavailable' : undefined;
}
