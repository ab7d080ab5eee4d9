import type { Config } from '../config.ts';
import { OperatorError } from '../operator-error.ts';
import type { Database } from './database.ts';
import { reasonOf } from './reason.ts';

/**
 * Opens the database that the configuration names, with its schema up to date.
 *
 * @throws OperatorError in one line when it cannot be opened or belongs to another program
 */
export async function openDatabase(config: Config): Promise<Database> {
  const { DATABASE_URL: database } = config;
  // Only the driver that is needed is loaded: the start takes less time and memory.
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
 * Waits for work on a database that a start or a command needs.
 *
 * @throws OperatorError in one line when the database is unavailable
 */
export async function explainOutage<Result>(database: Database, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (database.classify(error) === undefined) throw error;
    throw new OperatorError(`DATABASE_URL: the database is unavailable: ${reasonOf(error)}`);
  }
}
