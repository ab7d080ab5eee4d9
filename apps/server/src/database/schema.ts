import type { Migration } from 'kysely/migration';
import type { EngineSyntax } from './migrations/engine-syntax.ts';
import type { Parameters } from './query.ts';

/** What a service keeps in its database. */
export interface Schema {
  /** The name of the service, as PostgreSQL lists its connections. */
  readonly name: string;
  /**
   * Identifies the service: the `application_id` of SQLite files, and, with the number after it, the locks of
   * PostgreSQL.
   */
  readonly applicationId: number;
  /** The history of the tables, in order. A migration that has landed is never changed. */
  readonly migrations: (syntax: EngineSyntax) => Readonly<Record<string, Migration>>;
  /** The table to which rows are appended. Its primary key is `id`. */
  readonly versionedTable: string;
  /** Its other columns with their types. */
  readonly columns: Parameters;
  /**
   * The table of idempotency records, with the columns `key`, a UUID and its primary key, `fingerprint`, an int64, and
   * `created_at`, in minutes since 1970.
   */
  readonly records: {
    readonly table: string;
    /** The column with the id of the row that a key has added. */
    readonly rowId: string;
  };
}

/** What an append needs to know. */
export type AppendTables = Pick<Schema, 'versionedTable' | 'columns' | 'records'>;
