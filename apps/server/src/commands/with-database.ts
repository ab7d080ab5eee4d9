import { readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { SchemaAccess } from '../database/migrations/migrate.ts';
import { explainOutage, openDatabase } from '../open-database.ts';
import { fail } from './output.ts';

/**
 * Runs a command on the database of the environment, and closes it afterwards.
 *
 * @param access what the command may do to the schema
 */
export async function withDatabase(
  access: SchemaAccess,
  run: (database: Database) => Promise<unknown>,
): Promise<void> {
  process.stdout.once('error', ({ message }) => fail(`cannot write to standard output: ${message}`));
  await using database = await openDatabase(readConfig(), access);
  await explainOutage(database, run(database));
}
