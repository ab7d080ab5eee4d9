import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  sql,
} from 'kysely';
import { StartupError } from '../startup-error.ts';
import type { Database } from './database.ts';
import { migrateToLatest } from './migrate.ts';
import type { ColumnTypes } from './migrations/column-types.ts';
import type { Tables } from './schema.ts';
import { APPLICATION_ID, prepareFile } from './sqlite-file.ts';

/** How long a transaction waits for another process that holds the write lock, and how often it looks. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_INTERVAL_MS = 5;

/** A statement takes a few kilobytes; the service has a few dozen, and one per size of a batch. */
const MAX_PREPARED_STATEMENTS = 500;

const columnTypes: ColumnTypes = {
  id: sql`integer primary key`,
  int64: sql`integer`,
  tableEnd: sql`strict`,
};

/**
 * Opens a SQLite database and brings its schema up to date. The file, and its folder, are made when
 * they are missing, readable by their owner only.
 *
 * @throws StartupError when the file is damaged, not ours, or cannot be opened
 */
export async function openSqlite(file: string): Promise<Database> {
  prepareFile(file);
  const connection = connect(file);
  const kysely = new Kysely<Tables>({ dialect: new PreparingSqliteDialect(connection) });
  const database: Database = {
    kysely,
    transact: (work) => whileBusy(() => kysely.transaction().execute(work)),
    isUnavailable,
    [Symbol.asyncDispose]: () => kysely.destroy(),
  };
  try {
    await database.transact((transaction) => migrateToLatest(transaction, columnTypes));
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
  return database;
}

/** SQLite's own way of waiting would hold up the event loop, and with it everybody who only reads. */
async function whileBusy<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isBusy = error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || performance.now() > deadline) throw error;
      await sleep(BUSY_INTERVAL_MS);
    }
  }
}

function connect(file: string): BetterSqlite3.Database {
  try {
    const connection = new BetterSqlite3(file, { timeout: BUSY_TIMEOUT_MS });
    if (connection.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      connection.pragma(`application_id = ${APPLICATION_ID}`);
    }
    connection.pragma('journal_mode = WAL');
    // An acknowledged animal survives a power cut.
    connection.pragma('synchronous = FULL');
    connection.pragma('busy_timeout = 0');
    connection.defaultSafeIntegers(true);
    return connection;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`DATABASE_URL: cannot open ${file}: ${reason}`);
  }
}

const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)/;

const isUnavailable = (error: unknown) =>
  error instanceof BetterSqlite3.SqliteError && UNAVAILABLE.test(error.code);

/** Kysely's dialect prepares a statement for every query; this one keeps them. */
class PreparingSqliteDialect extends SqliteDialect {
  readonly #createDriver;

  constructor(connection: BetterSqlite3.Database) {
    const database = keepStatements(connection);
    super({ database });
    this.#createDriver = () => new ImmediateSqliteDriver(database, connection);
  }

  override createDriver() {
    return this.#createDriver();
  }

  override createAdapter() {
    return new TransactionalSqliteAdapter();
  }
}

function keepStatements(connection: BetterSqlite3.Database): SqliteDatabase {
  const statements = new Map<string, BetterSqlite3.Statement<unknown[]>>();
  return {
    prepare(text) {
      const kept = statements.get(text);
      if (kept) return kept;
      if (statements.size >= MAX_PREPARED_STATEMENTS) statements.clear();
      const statement = connection.prepare<unknown[]>(text);
      statements.set(text, statement);
      return statement;
    },
    close: () => connection.close(),
  };
}

/** Takes the write lock at once: a transaction that begins by reading could not wait for it later. */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #connection;

  constructor(database: SqliteDatabase, connection: BetterSqlite3.Database) {
    super({ database });
    this.#connection = connection;
  }

  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  override async rollbackTransaction(connection: DatabaseConnection) {
    // After some errors, such as a full disk, SQLite has rolled back already.
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** SQLite does roll back CREATE TABLE; Kysely assumes that it may not. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}
