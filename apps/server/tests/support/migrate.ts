import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/open-database.ts';

/**
 * Brings the schema of a database up to date as `petstore migrate` does, without a process for it.
 * @param url as DATABASE_URL names it
 */
export async function migrate(url: string): Promise<void> {
  await using _database = await openDatabase(readConfig({ DATABASE_URL: url }));
}
