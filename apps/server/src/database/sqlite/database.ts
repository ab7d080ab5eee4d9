import { type Int64, stringifyJson } from '@petstore/contract';
import BetterSqlite3 from 'better-sqlite3';
import {
  DummyDriver,
  InsertQueryNode,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Database, DatabaseVersion, Transaction } from '../database.ts';
import {
  createBinder,
  type Parameters,
  placeholder,
  probe,
  type Query,
  toRow,
  type Values,
} from '../query.ts';
import { retry } from '../retry.ts';
import type { Tables } from '../schema.ts';
import { FileGoneError, type FileWatch } from './file-watch.ts';
import { type LogSync, LogSyncError } from './log-sync.ts';

/** How long work waits for another process that holds a lock, and how often it tries. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_INTERVAL_MS = 5;

/**
 * How often is asked whether there is a new epoch, at most: to ask takes a tenth as long as a cached response. A restore
 * ends after that time only, and the process that adds a pet asks before.
 */
export const EPOCH_CHECK_INTERVAL_MS = 100;

/** It builds and compiles, and runs nothing. */
const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Before the first id. */
const NO_ID = -(2n ** 63n);

interface Prepared {
  bind: ReturnType<typeof createBinder>;
  statement: BetterSqlite3.Statement<[readonly unknown[]], unknown[]>;
  columns: readonly string[];
  /** Names of the parameters of an insert, which takes all rows as one JSON text. */
  rowsOf: readonly string[] | undefined;
}

/**
 * One connection runs everything. A read takes less time than a turn of the event loop, so it runs
 * synchronously; a separate connection for reads was slower, because every commit emptied its page cache.
 */
export class SqliteDatabase implements Database {
  readonly classify = classify;
  readonly #connection: BetterSqlite3.Database;
  readonly #files: FileWatch;
  readonly #log: LogSync;
  readonly #prepared = new WeakMap<Query, Prepared>();
  readonly #dataVersion: BetterSqlite3.Statement<[]>;
  readonly #schemaVersion: BetterSqlite3.Statement<[]>;
  #knownDataVersion: unknown;
  #content = 0;
  #epoch = 0;
  #epochCheckAt = 0;
  /** Pets up to this id are known to be durable: in an epoch pets are only ever added, with ascending ids. */
  #durableId: Int64 = NO_ID;
  #isInTransaction = false;
  /** Fulfilled when the last of the transactions so far has ended. */
  #transactions: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(connection: BetterSqlite3.Database, files: FileWatch, log: LogSync) {
    this.#connection = connection;
    this.#files = files;
    this.#log = log;
    this.#dataVersion = connection.prepare<[]>('pragma data_version').pluck();
    this.#schemaVersion = connection.prepare<[]>('pragma schema_version').pluck();
  }

  async read<Named extends Parameters, Row extends { readonly id: Int64 }>(
    query: Query<Named, Row>,
    values: Values<Named>,
  ) {
    const read = await this.#outsideTransactions(() => {
      // The version that is known: it may be older than what is read, but asking for it takes as long again.
      const version = { epoch: this.#epoch, content: this.#content };
      return { value: this.#run(query, [values]), version };
    });
    const newest = read.value.at(-1)?.id;
    if (newest !== undefined && newest > this.#durableId) await this.#makeDurable(newest, read.version);
    return read;
  }

  query<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>) {
    return this.#outsideTransactions(() => this.#run(query, [values]));
  }

  epoch() {
    this.#check();
    if (performance.now() < this.#epochCheckAt) return this.#epoch;
    return whileBusy(() => this.#currentVersion().epoch);
  }

  version() {
    return this.#outsideTransactions(() => this.#currentVersion());
  }

  async probe() {
    await this.query(probe, {});
  }

  async transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#transactions;
    this.#transactions = promise;
    await before;
    const result = await whileBusy(() => this.#runTransaction(work)).finally(resolve);
    // Also where this transaction only read: what it found may be from another process, and not durable yet.
    await this.#log.sync();
    return result;
  }

  [Symbol.asyncDispose]() {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#transactions;
    await this.#log.close();
    if (this.#files.findChanged() !== undefined) emptyLog(this.#connection);
    this.#connection.close();
  }

  async #runTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const connection = this.#connection;
    this.#check();
    this.#log.checkWritable();
    // Takes the write lock at once: a transaction that begins by reading could not wait for it later.
    connection.exec('begin immediate');
    this.#isInTransaction = true;
    try {
      // A pet that is added after a restore may get the id of one that is cached.
      this.#currentVersion();
      const result = await work({
        query: async (query, values) => this.#run(query, [values]),
        queryEach: async (query, sets) => this.#run(query, sets),
      });
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

  /** Makes the pets up to this one durable, whichever process has added them. */
  async #makeDurable(id: Int64, { epoch }: DatabaseVersion): Promise<void> {
    await this.#log.sync();
    // A restore meanwhile may have brought other pets with lower ids, which are not known to be durable.
    if (epoch === this.#epoch && id > this.#durableId) this.#durableId = id;
  }

  #check(): void {
    this.#files.check();
    this.#log.check();
  }

  #run<Named extends Parameters, Row>(query: Query<Named, Row>, sets: readonly Values<Named>[]): Row[] {
    const { bind, statement, columns, rowsOf } = this.#prepared.get(query) ?? this.#prepare(query);
    if (!statement.readonly) this.#content += 1;
    // To run an insert once for each row takes twice as long.
    const runs = rowsOf
      ? [{ rows: stringifyJson(sets.map((set) => rowsOf.map((name) => set[name] ?? null))) }]
      : sets;
    const rows: Row[] = [];
    for (const values of runs) {
      const bound = bind(values);
      if (!statement.reader) statement.run(bound);
      else for (const row of statement.all(bound)) rows.push(toRow<Row>(columns, row));
    }
    return rows;
  }

  #prepare(query: Query): Prepared {
    const names = Object.keys(query.parameters);
    const built = query.build(builder, hiddenPlaceholder, rowsOfJson(names.length));
    const compiled = built.compile(builder);
    const statement = this.#connection.prepare<[readonly unknown[]], unknown[]>(compiled.sql);
    const columns = statement.reader
      ? statement
          .raw()
          .columns()
          .map(({ name }) => name)
      : [];
    const rowsOf = InsertQueryNode.is(built.toOperationNode()) ? names : undefined;
    const prepared = { bind: createBinder(compiled), statement, columns, rowsOf };
    this.#prepared.set(query, prepared);
    return prepared;
  }

  /**
   * What this connection writes is counted; SQLite's `data_version` shows the commits of others. A restore is one that
   * changes the schema version, by our command and by SQLite's own `.restore`. A file that is replaced is not served.
   */
  #currentVersion(): DatabaseVersion {
    this.#epochCheckAt = performance.now() + EPOCH_CHECK_INTERVAL_MS;
    const dataVersion = this.#dataVersion.get();
    if (dataVersion !== this.#knownDataVersion) {
      this.#knownDataVersion = dataVersion;
      this.#content += 1;
      const epoch = Number(this.#schemaVersion.get());
      if (epoch !== this.#epoch) this.#durableId = NO_ID;
      this.#epoch = epoch;
    }
    return { epoch: this.#epoch, content: this.#content };
  }
}

/**
 * A placeholder that SQLite's planner does not see. Where it sees one in a condition or a limit, every new value
 * makes it compile the statement again: half the time of a page.
 */
const hiddenPlaceholder = (name: string) => sql<never>`+${placeholder(name)}`;

/** A table of the arrays in a JSON text. The "where" separates an "on conflict" after it from the "on" of a join. */
const rowsOfJson = (columns: number) =>
  sql`select ${sql.join(Array.from({ length: columns }, (_, index) => sql`value ->> ${sql.lit(index)}`))}
    from json_each(${placeholder('rows')}) where true`;

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

/**
 * Repeats work while another process holds a lock, readers too: they wait while the log of a process that was
 * killed is recovered. SQLite's own way of waiting would stop the event loop, and with it all that only reads.
 */
export const whileBusy = <Result>(attempt: () => Result | Promise<Result>) =>
  retry(attempt, { when: isBusy, forMs: BUSY_TIMEOUT_MS, pauseMs: 2 * BUSY_INTERVAL_MS });

const isBusy = (error: unknown) =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY');

const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)/;

function classify(error: unknown) {
  const isUnavailable =
    error instanceof BetterSqlite3.SqliteError
      ? UNAVAILABLE.test(error.code)
      : error instanceof FileGoneError || error instanceof LogSyncError;
  return isUnavailable ? 'unavailable' : undefined;
}
