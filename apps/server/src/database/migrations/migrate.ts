import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { DatabaseFault } from '../database-fault.ts';
import { reasonOf } from '../reason.ts';
import type { Schema } from '../schema.ts';
import { findServable, isCurrent, recordCompatibility } from './compatibility.ts';
import type { EngineSyntax } from './engine-syntax.ts';

/** A migration of a newer release: it has been applied. */
const applied: Migration = { up: async () => {} };

/**
 * Brings the schema up to date within one transaction, so that several processes can start at once. A schema that a
 * newer release has migrated stays as it is: servers of both releases serve it, and a rollback works.
 *
 * @returns the names of the migrations that were applied
 * @throws DatabaseFault when the schema is newer by a change that this release cannot serve with, or a migration fails;
 *   its cause is the error of the engine
 */
export async function migrateToLatest(
  db: Kysely<unknown>,
  schema: Schema,
  syntax: EngineSyntax,
): Promise<string[]> {
  const known = schema.migrations(syntax);
  // Kysely's migrator would ask several times for all tables with their columns: 7 of 177 ms of processor time of a start on
  // SQLite (medians of 25 starts each, by turns).
  if (await isCurrent(db, syntax, known)) return [];
  const { Migrator } = await import('kysely/migration');
  const newer = (await findServable(db, syntax, known)).map((name) => [name, applied]);
  // The migrator refuses whatever else it finds in the database and not here.
  const provider = { getMigrations: async () => ({ ...Object.fromEntries(newer), ...known }) };
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest();
  if (error !== undefined) throw new DatabaseFault(faultOf(error), { cause: error });
  await recordCompatibility(db, syntax, known, results.length === Object.keys(known).length);
  return results.map(({ migrationName }) => migrationName);
}

function faultOf(error: unknown): string {
  const reason = reasonOf(error);
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(reason) ?? [];
  return unknown === undefined
    ? `the schema cannot be brought up to date: ${reason}`
    : `the schema is newer than this release can serve, which does not know its migration ${unknown}`;
}
