import type { EngineSyntax } from './migrations/engine-syntax.ts';
import type { SchemaMigration } from './migrations/schema-migration.ts';
import type { Parameters } from './query.ts';

/** What a service keeps in its database. */
export interface Schema {
  /** Of the service, as PostgreSQL lists its connections. */
  readonly name: string;
  /**
   * Identifies the service: the `application_id` of SQLite files, and, with the number after it, the locks of
   * PostgreSQL.
   */
  readonly applicationId: number;
  /** The history of the tables, in order. A migration that has landed is never changed. */
  readonly migrations: (syntax: EngineSyntax) => Readonly<Record<string, SchemaMigration>>;
  /** The table that versions describe, tracked by a migration. Its primary key is `id`. */
  readonly versionedTable: string;
  /** Its other columns with their types. */
  readonly columns: Parameters;
  /**
   * The table of idempotency records, with the columns `key`, its primary key, `fingerprint` and `created_at`, in
   * milliseconds since 1970.
   */
  readonly records: {
    readonly table: string;
    /** The column with the id of the row that a key has added. */
    readonly rowId: string;
  };
}
