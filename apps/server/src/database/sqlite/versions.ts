import type BetterSqlite3 from 'better-sqlite3';
import type { DatabaseVersion } from '../database.ts';

/**
 * Tells when something may have been committed: by this connection, which says so itself, or by another
 * one, which SQLite's `data_version` shows. Of the epoch there is one: an open file loses no commit.
 */
export class SqliteVersions {
  readonly #dataVersion: BetterSqlite3.Statement<[]>;
  #known: unknown;
  #current: DatabaseVersion = { epoch: 0, content: 0 };

  constructor(connection: BetterSqlite3.Database) {
    this.#dataVersion = connection.prepare<[]>('pragma data_version').pluck();
  }

  current(): DatabaseVersion {
    const dataVersion = this.#dataVersion.get();
    if (dataVersion !== this.#known) {
      this.#known = dataVersion;
      this.advance();
    }
    return this.#current;
  }

  /** To be called after a transaction of this connection. */
  advance(): void {
    const { epoch, content = 0 } = this.#current;
    this.#current = { epoch, content: content + 1 };
  }
}
