import { type Kysely, sql } from 'kysely';
import type { SchemaAccess } from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import { reasonOf } from '../reason.ts';
import type { Schema } from '../schema.ts';
import type { EngineSyntax } from './engine-syntax.ts';
import { columnsMadeBy } from './made-columns.ts';

/**
 * Brings the schema up to date. Unknown migrations count as applied, so that releases can overlap and be rolled back:
 * the previous release ignores new columns and tables.
 * @param db a transaction whose caller holds the lock of migrations
 * @returns the names of the applied migrations
 * @throws DatabaseFault as `compareHistory` does, or when a migration fails, with the engine's error as cause
 */
export async function migrateToLatest(
  db: Kysely<unknown>,
  schema: Schema,
  syntax: EngineSyntax,
  access: SchemaAccess,
): Promise<string[]> {
  const { recorded, missing } = await compareHistory(db, schema, syntax, access);
  if (missing.length === 0) return [];
  const { Migrator } = await import('kysely/migration');
  const applied = Object.fromEntries(recorded.map((name) => [name, { up: async () => {} }]));
  const provider = { getMigrations: async () => ({ ...applied, ...schema.migrations(syntax) }) };
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw migrationFault(error);
  return missing;
}

export const migrationFault = (cause: unknown) =>
  new DatabaseFault(`the schema cannot be brought up to date: ${reasonOf(cause)}`, { cause });

/**
 * Compares a database with the migrations.
 * @param db a transaction that sees one state of the database
 * @returns the names of the migrations that the database records, and of the missing migrations
 * @throws DatabaseFault when the database has an unknown history, or lacks migrations and `access` forbids them
 */
export async function compareHistory(
  db: Kysely<unknown>,
  schema: Schema,
  syntax: EngineSyntax,
  access: SchemaAccess,
): Promise<{ recorded: string[]; missing: string[] }> {
  const { rows: columns } = await syntax.columns.execute(db);
  const present = new Map(columns.map((column) => [`${column.table}.${column.name}`, column]));
  const recorded = present.has('kysely_migration.name') ? await findRecorded(db) : [];
  const migrations = Object.entries(schema.migrations(syntax));
  const applied = migrations.filter(([name]) => recorded.includes(name));
  const missing = migrations.filter(([name]) => !recorded.includes(name));

  const refuse = (reason: string) => {
    throw new DatabaseFault(`the database has an unknown history, and was left as it is: ${reason}`);
  };
  const [first = ''] = migrations.map(([name]) => name);
  if (recorded.length > 0 && !recorded.includes(first)) refuse(`it records ${recorded[0]}, but not ${first}`);
  const made = await columnsMadeBy(applied);
  for (const name of made) if (!present.has(name)) refuse(`${name} is missing`);
  for (const name of await columnsMadeBy(missing)) {
    if (present.has(name)) refuse(`${name} is there, but ${missing[0]?.[0]} is not recorded`);
  }
  const tables = new Set(Array.from(made, (name) => name.split('.')[0]));
  for (const [name, { table, isRequired }] of present) {
    // If an unknown column is required, every insert fails.
    if (isRequired && tables.has(table) && !made.has(name)) refuse(`${name} is unknown, and has no default`);
  }

  const names = missing.map(([name]) => name);
  if (names.length === 0 || access === 'migrate' || (access === 'create' && recorded.length === 0)) {
    return { recorded, missing: names };
  }
  const message =
    recorded.length === 0
      ? 'the database is empty: petstore migrate creates its tables'
      : `the schema is that of an older release and lacks ${names.join(', ')}: petstore migrate brings it up to date`;
  throw new DatabaseFault(message, { isTransient: true });
}

async function findRecorded(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
