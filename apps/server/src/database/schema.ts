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
   * The table of idempotency records, with the columns `key`, a UUID and its primary key, `fingerprint`, an int64, and
   * `created_at`, in minutes since 1970. See idempotency.ts.
   */
  readonly records: {
    readonly table: string;
    /** The column with the id of the row that a key has added. */
    readonly rowId: string;
    /** @default no release had others */
    readonly former?: FormerRecords;
  };
}

/**
 * The idempotency records of older releases, whose columns `key` and `fingerprint` are texts, and `created_at` is in
 * milliseconds. They are found here, and while an older release can serve, new ones are written here as well. The next
 * release may stop to write them, and the one after that to look for them.
 */
export interface FormerRecords {
  readonly table: string;
  /** The migration that a release knows which does without them. */
  readonly until: string;
}
