import type { Kysely } from 'kysely';
import type { SchemaMigration } from './schema-migration.ts';

type Migrations = Readonly<Record<string, SchemaMigration>>;

/** What a release leaves for older ones: which of them can serve after a migration that they do not know. */
type Tables = {
  schema_compatibility: {
    migration: string;
    /** The name of the oldest migration that such a release must know. */
    serves_since: string;
  };
};

const withTables = (db: Kysely<unknown>) => db.withTables<Tables>();

/** The names of the applied migrations after which a release can serve that knows these ones. */
export async function findServable(db: Kysely<unknown>, known: Migrations): Promise<string[]> {
  const records = await readRecords(db);
  return records.flatMap(({ migration, serves_since }) =>
    Object.hasOwn(known, serves_since) ? migration : [],
  );
}

/**
 * Records which releases can serve after these migrations, unless that was recorded before.
 *
 * @param isNew whether the database has none of them from an older release
 */
export async function recordCompatibility(
  db: Kysely<unknown>,
  applied: Migrations,
  isNew: boolean,
): Promise<void> {
  const recorded = new Set((await readRecords(db)).map(({ migration }) => migration));
  const missing = Object.entries(applied).filter(([migration]) => !recorded.has(migration));
  // A role that may not change the schema can start on one that is up to date.
  if (missing.length === 0) return;
  await db.schema
    .createTable('schema_compatibility')
    .ifNotExists()
    .addColumn('migration', 'text', (column) => column.primaryKey().notNull())
    .addColumn('serves_since', 'text', (column) => column.notNull())
    .execute();
  await withTables(db)
    .insertInto('schema_compatibility')
    .values(
      missing.map(([migration, { servesSince, servesNewSince }]) => ({
        migration,
        serves_since: (isNew && servesNewSince) || servesSince,
      })),
    )
    .execute();
}

async function readRecords(db: Kysely<unknown>) {
  // Asked first, because a failed select would end the transaction of PostgreSQL.
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === 'schema_compatibility')) return [];
  return withTables(db).selectFrom('schema_compatibility').select(['migration', 'serves_since']).execute();
}
