import { readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { explainOutage, openDatabase } from '../open-database.ts';
import { fail } from './output.ts';

/** Runs a command on the database of the environment, and closes it afterwards. */
export async function withDatabase(run: (database: Database) => Promise<unknown>): Promise<void> {
  process.stdout.once('error', ({ message }) => fail(`cannot write to standard output: ${message}`));
  await using database = await openDatabase(readConfig());
  await explainOutage(database, run(database));
}
