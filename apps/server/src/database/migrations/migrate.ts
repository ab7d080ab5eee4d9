import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StartupError } from '../../process/startup-error.ts';
import type { Tables } from '../schema.ts';
import type { ColumnTypes } from './column-types.ts';
import { migrations } from './index.ts';

/**
 * Brings the schema up to date within one transaction, so that several processes can start at once.
 *
 * @returns the names of the migrations that were applied
 * @throws StartupError when the database is newer than this release, or a migration fails
 */
export async function migrateToLatest(db: Kysely<Tables>, types: ColumnTypes): Promise<string[]> {
  const provider = { getMigrations: async () => migrations(types) };
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest();
  if (error === undefined) return results.map(({ migrationName }) => migrationName);
  const reason = error instanceof Error ? error.message : String(error);
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(reason) ?? [];
  if (unknown !== undefined) {
    throw new StartupError(
      `DATABASE_URL: the schema is newer than this release, which does not know its migration ${unknown}`,
    );
  }
  throw new StartupError(`DATABASE_URL: the schema cannot be brought up to date: ${reason}`);
}
