import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SchemaAccess } from './database.ts';
import { DatabaseFault } from './database-fault.ts';
import { engineOf } from './engine-of.ts';
import { reasonOf } from './reason.ts';
import { primaryKeys } from './tables.ts';

export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Brings the schema up to date. Unknown migrations count as applied, so that releases can overlap and be rolled back:
 * the previous release ignores new columns and tables.
 * @param db a transaction whose caller holds the migration lock
 * @returns the names of the applied migrations
 * @throws DatabaseFault as `compareHistory` does, or when a migration fails, with the engine's error as cause
 */
export async function migrateToLatest(
  db: Kysely<unknown>,
  migrations: Migrations,
  access: SchemaAccess,
): Promise<string[]> {
  const { recorded, missing } = await compareHistory(db, migrations, access);
  if (missing.length === 0) return [];
  const { Migrator } = await import('kysely/migration');
  const applied = Object.fromEntries(recorded.map((name) => [name, { up: async () => {} }]));
  const provider = { getMigrations: async () => ({ ...applied, ...migrations }) };
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true, ...(await findSchema(db)) });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw migrationFault(error);
  assertComplete(await findTables(db));
  return missing;
}

export const migrationFault = (cause: unknown) =>
  new DatabaseFault(`the schema cannot be brought up to date: ${reasonOf(cause)}`, { cause });

/**
 * Compares a database with the migrations of this release.
 * @param db a transaction that sees one state of the database, or whose caller holds the migration lock
 * @returns the names of the migrations that the database records, and of those that it lacks
 * @throws DatabaseFault when the database has an unknown history, another schema hides its tables, or it lacks migrations
 *   and `access` forbids them
 */
export async function compareHistory(db: Kysely<unknown>, migrations: Migrations, access: SchemaAccess) {
  const tables = await findTables(db);
  const recorded = tables.has('kysely_migration') ? await findRecorded(db) : [];
  const names = Object.keys(migrations);
  const missing = names.filter((name) => !recorded.includes(name));

  const [first = ''] = names;
  if (recorded.length > 0 && !recorded.includes(first)) {
    throw unknownHistory(`it records ${recorded[0]}, but not ${first}`);
  }
  const ownTable = ownTables.find((name) => tables.has(name));
  if (recorded.length === 0 && ownTable !== undefined) {
    throw unknownHistory(`the table ${ownTable} is there, but no migration is recorded`);
  }
  if (recorded.length === 0) await assertNotHidden(db);
  const isAllowed = access === 'migrate' || (access === 'create' && recorded.length === 0);
  if (missing.length > 0 && !isAllowed) {
    const message =
      recorded.length === 0
        ? 'the database is empty: petstore migrate creates its tables'
        : `the schema is from an older release and lacks ${missing.join(', ')}: petstore migrate brings it up to date`;
    throw new DatabaseFault(message, { isTransient: true });
  }
  if (missing.length === 0) assertComplete(tables);
  return { recorded, missing };
}

const ownTables = Object.keys(primaryKeys);

/** A restore that stopped halfway leaves the records of migrations, but not all tables. */
function assertComplete(tables: ReadonlySet<string>): void {
  const missing = ownTables.find((name) => !tables.has(name));
  if (missing !== undefined) throw unknownHistory(`the table ${missing} is missing`);
}

const unknownHistory = (reason: string) =>
  new DatabaseFault(`the database has an unknown history, and was left as it is: ${reason}`);

/** Tables of other schemas on PostgreSQL's search path may belong to other programs: see `assertNotHidden`. */
async function findTables(db: Kysely<unknown>): Promise<ReadonlySet<string>> {
  const tables = {
    sqlite: sql<{ name: string }>`select name from sqlite_schema where type = 'table'`,
    postgres: sql<{ name: string }>`
      select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = current_schema() and relkind in ('r', 'p')`,
  };
  const { rows } = await tables[engineOf(db)].execute(db);
  return new Set(rows.map(({ name }) => name));
}

async function findRecorded(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Kysely would take the table `kysely_migration` of any schema for its own.
 * @throws DatabaseFault when the search_path of PostgreSQL leads to no schema
 */
async function findSchema(db: Kysely<unknown>): Promise<{ migrationTableSchema?: string }> {
  if (engineOf(db) === 'sqlite') return {};
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db);
  const schema = rows[0]?.schema;
  if (!schema) throw migrationFault('the search_path has no schema that exists and that the role may use');
  return { migrationTableSchema: schema };
}

/**
 * New tables in the first schema of the search_path would hide the tables of a later one. By default, the path begins
 * with a schema that has the role's name, and an operator may create that schema afterwards.
 * @throws DatabaseFault when a later schema has several of our tables: another program may have one of these names
 */
async function assertNotHidden(db: Kysely<unknown>): Promise<void> {
  if (engineOf(db) === 'sqlite') return;
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relname in (${sql.join(ownTables)}) and relkind in ('r', 'p') and nspname = any (current_schemas(false))
    group by nspname having count(*) > 1`.execute(db);
  const schema = rows[0]?.schema;
  if (schema)
    throw new DatabaseFault(`the search_path must not have a schema before ${schema}, which has the tables`);
}
