import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import type { SchemaMigration } from './schema-migration.ts';

type Migrations = Readonly<Record<string, SchemaMigration>>;

/** The names of the applied migrations after which a release can serve that knows these ones. */
export async function findServable(db: Kysely<Tables>, known: Migrations): Promise<string[]> {
  const records = await readRecords(db);
  return records.flatMap(({ migration, serves_since }) =>
    Object.hasOwn(known, serves_since) ? migration : [],
  );
}

/** Records which releases can serve after these migrations, unless that was recorded before. */
export async function recordCompatibility(db: Kysely<Tables>, applied: Migrations): Promise<void> {
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
  await db
    .insertInto('schema_compatibility')
    .values(missing.map(([migration, { servesSince }]) => ({ migration, serves_since: servesSince })))
    .execute();
}

async function readRecords(db: Kysely<Tables>) {
  // Asked first, because a failed select would end the transaction of PostgreSQL.
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === 'schema_compatibility')) return [];
  return db.selectFrom('schema_compatibility').select(['migration', 'serves_since']).execute();
}
