import type { Config } from '../config.ts';
import { StartupError } from '../process/startup-error.ts';
import type { Database } from './database.ts';
import { reasonOf } from './reason.ts';

/**
 * Opens the database that the configuration names, with its schema up to date.
 *
 * @throws StartupError in one line when it cannot be opened or is not ours
 */
export async function openDatabase(config: Config): Promise<Database> {
  const { DATABASE_URL: database } = config;
  // A start loads the driver that it needs, and not the other.
  if (database.engine === 'sqlite') {
    const { openSqlite } = await import('./sqlite/open.ts');
    return openSqlite(database.file);
  }
  const { openPostgres } = await import('./postgres/open.ts');
  return openPostgres(database.url, {
    poolSize: config.DATABASE_POOL_SIZE,
    connectTimeoutMs: config.DATABASE_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    idleTimeoutMs: config.DATABASE_IDLE_TIMEOUT_MS,
  });
}

/**
 * Waits for work on a database without which a start or a command cannot go on.
 *
 * @throws StartupError in one line when the database cannot answer
 */
export async function explainOutage<Result>(database: Database, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!database.isUnavailable(error)) throw error;
    throw new StartupError(`DATABASE_URL: the database cannot answer: ${reasonOf(error)}`);
  }
}
