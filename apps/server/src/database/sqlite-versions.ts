import type BetterSqlite3 from 'better-sqlite3';
import type { DatabaseVersion } from './database.ts';

/**
 * Tells when something may have been committed: by this connection, which says so itself, or by another
 * one, which SQLite's `data_version` shows.
 */
export class SqliteVersions {
  readonly #dataVersion: BetterSqlite3.Statement<[]>;
  #known: unknown;
  #present: DatabaseVersion = {};

  constructor(connection: BetterSqlite3.Database) {
    this.#dataVersion = connection.prepare<[]>('pragma data_version').pluck();
  }

  present(): DatabaseVersion {
    const dataVersion = this.#dataVersion.get();
    if (dataVersion !== this.#known) {
      this.#known = dataVersion;
      this.advance();
    }
    return this.#present;
  }

  /** After a transaction of this connection. */
  advance(): void {
    this.#present = {};
  }
}
