import type { Config } from '../config.ts';
import type { Database } from './database.ts';

/**
 * Opens the database that the configuration names, with its schema up to date.
 *
 * @throws StartupError in one line when it cannot be opened or is not ours
 */
export async function openDatabase(config: Config): Promise<Database> {
  const { DATABASE_URL: database } = config;
  // A start loads the driver that it needs, and not the other.
  if (database.engine === 'sqlite') {
    const { openSqlite } = await import('./sqlite.ts');
    return openSqlite(database.file);
  }
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(database.url, {
    poolSize: config.DATABASE_POOL_SIZE,
    connectTimeoutMs: config.DATABASE_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    idleTimeoutMs: config.DATABASE_IDLE_TIMEOUT_MS,
  });
}
