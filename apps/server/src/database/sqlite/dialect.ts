import type BetterSqlite3 from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';

/** A statement takes a few kilobytes; the service has a few dozen, and up to three per size of a batch. */
const MAX_PREPARED_STATEMENTS = 500;

/** Kysely's dialect prepares a statement for every query; this one keeps those that were used last. */
export class PreparingSqliteDialect extends SqliteDialect {
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
      const statement = kept ?? connection.prepare<unknown[]>(text);
      // A Map is in the order of insertion: first comes the one that was not used for longest.
      if (kept) statements.delete(text);
      else if (statements.size >= MAX_PREPARED_STATEMENTS) statements.delete(firstOf(statements));
      statements.set(text, statement);
      return statement;
    },
    close: () => connection.close(),
  };
}

const firstOf = (map: ReadonlyMap<string, unknown>) => map.keys().next().value ?? '';

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
