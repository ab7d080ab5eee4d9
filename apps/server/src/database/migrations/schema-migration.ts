import type { Migration } from 'kysely/migration';

/** A change of the schema, with the releases that can serve after it. */
export interface SchemaMigration extends Migration {
  /**
   * The name of the oldest migration that a release must know to serve after this one. An earlier one than this when
   * older releases can live with the change, and this one itself when they cannot.
   */
  readonly servesSince: string;
  /** The same in a new database, which no older release has served. @default servesSince */
  readonly servesNewSince?: string;
}
