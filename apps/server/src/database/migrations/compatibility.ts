import type { Kysely } from 'kysely';
import type { EngineSyntax } from './engine-syntax.ts';
import type { SchemaMigration } from './schema-migration.ts';

type Migrations = Readonly<Record<string, SchemaMigration>>;

type Tables = {
  /** Kysely's own: the migrations that were applied. */
  kysely_migration: { name: string };
  /** What a release leaves for older ones: which of them can serve after a migration that they do not know. */
  schema_compatibility: {
    migration: string;
    /** The name of the oldest migration that such a release must know. */
    serves_since: string;
  };
};

const withTables = (db: Kysely<unknown>) => db.withTables<Tables>();

/** Whether exactly these migrations have been applied, with what is recorded of them. */
export async function isCurrent(
  db: Kysely<unknown>,
  syntax: EngineSyntax,
  known: Migrations,
): Promise<boolean> {
  if (!(await areThere(['kysely_migration', 'schema_compatibility'], db, syntax))) return false;
  const applied = await withTables(db)
    .selectFrom('kysely_migration')
    .leftJoin('schema_compatibility', 'migration', 'name')
    .select(['name', 'migration'])
    .execute();
  return (
    applied.length === Object.keys(known).length &&
    applied.every(({ name, migration }) => Object.hasOwn(known, name) && migration !== null)
  );
}

/** The names of the applied migrations after which a release can serve that knows these ones. */
export async function findServable(
  db: Kysely<unknown>,
  syntax: EngineSyntax,
  known: Migrations,
): Promise<string[]> {
  const records = await readRecords(db, syntax);
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
  syntax: EngineSyntax,
  applied: Migrations,
  isNew: boolean,
): Promise<void> {
  const recorded = new Set((await readRecords(db, syntax)).map(({ migration }) => migration));
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

async function readRecords(db: Kysely<unknown>, syntax: EngineSyntax) {
  if (!(await areThere(['schema_compatibility'], db, syntax))) return [];
  return withTables(db).selectFrom('schema_compatibility').select(['migration', 'serves_since']).execute();
}

/** Asked before a select, because one that fails would end the transaction of PostgreSQL. */
async function areThere(
  names: readonly (keyof Tables)[],
  db: Kysely<unknown>,
  syntax: EngineSyntax,
): Promise<boolean> {
  const { rows } = await syntax.tables.execute(db);
  return names.every((wanted) => rows.some(({ name }) => name === wanted));
}
