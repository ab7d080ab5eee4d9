import type { Config } from '../config.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Opens the database that the configuration names, with its schema up to date.
 *
 * @throws StartupError in one line when it cannot be opened or is not ours
 */
export function openDatabase(config: Config): Promise<Database> {
  const { DATABASE_URL: database } = config;
  if (database.engine === 'sqlite') return openSqlite(database.file);
  return openPostgres(database.url, {
    poolSize: config.DATABASE_POOL_SIZE,
    connectTimeoutMs: config.DATABASE_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    idleTimeoutMs: config.DATABASE_IDLE_TIMEOUT_MS,
  });
}
