import { type Kysely, sql } from 'kysely';
import { DatabaseFault } from '../database-fault.ts';
import { reasonOf } from '../reason.ts';
import type { Schema } from '../schema.ts';
import type { EngineSyntax } from './engine-syntax.ts';

/** What may be done to the schema of a database: everything, its creation, or nothing. */
export type SchemaAccess = 'migrate' | 'create' | 'expect';

/**
 * Brings the schema up to date, within a transaction and under a lock, so that several processes can start at once.
 * Migrations that this release does not know count as applied: releases overlap, and a rollback works, because each
 * change first only adds what the release before can live with.
 *
 * @throws DatabaseFault when the schema lacks what may not be added here, or a migration fails; its cause is the error
 *   of the engine
 */
export async function migrateToLatest(
  db: Kysely<unknown>,
  schema: Schema,
  syntax: EngineSyntax,
  access: SchemaAccess = 'migrate',
): Promise<void> {
  // A role that may not change the schema can start on one that is up to date.
  if (!(await isBehind(db, schema, syntax, access))) return;
  const { Migrator } = await import('kysely/migration');
  const known = schema.migrations(syntax);
  const applied = (await findApplied(db, syntax)).map((name) => [name, { up: async () => {} }]);
  const provider = { getMigrations: async () => ({ ...Object.fromEntries(applied), ...known }) };
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw migrationFault(error);
}

/** @param cause what the engine failed with */
export const migrationFault = (cause: unknown) =>
  new DatabaseFault(`the schema cannot be brought up to date: ${reasonOf(cause)}`, { cause });

/**
 * Whether a database lacks migrations of a schema.
 *
 * @throws DatabaseFault when it does, and they may not be applied
 */
export async function isBehind(
  db: Kysely<unknown>,
  schema: Schema,
  syntax: EngineSyntax,
  access: SchemaAccess,
): Promise<boolean> {
  const present = await findApplied(db, syntax);
  const missing = Object.keys(schema.migrations(syntax)).filter((name) => !present.includes(name));
  if (missing.length === 0) return false;
  if (access === 'migrate' || (access === 'create' && present.length === 0)) return true;
  throw new DatabaseFault(
    present.length === 0
      ? 'the database is empty: petstore migrate creates its tables'
      : `the schema is that of an older release and lacks ${missing.join(', ')}: petstore migrate brings it up to date`,
  );
}

/** Finds the names of the migrations that were applied, as Kysely records them. */
async function findApplied(db: Kysely<unknown>, syntax: EngineSyntax): Promise<string[]> {
  // Asked before a select, because one that fails would end the transaction of PostgreSQL.
  const { rows: tables } = await syntax.tables.execute(db);
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
