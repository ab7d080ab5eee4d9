import type { Config } from '../config.ts';
import type { Database } from './database.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Opens the database that the configuration names, with its schema up to date.
 *
 * @throws StartupError in one line when it cannot be opened or is not ours
 */
export const openDatabase = ({ DATABASE_URL }: Pick<Config, 'DATABASE_URL'>): Promise<Database> =>
  openSqlite(DATABASE_URL.file);
