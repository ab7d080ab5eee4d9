import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { DatabaseFault } from './database/database-fault.ts';
import { reasonOf } from './database/reason.ts';
import { OperatorError } from './operator-error.ts';
import { schema } from './schema.ts';

/**
 * Opens the database that the configuration names, with its schema up to date.
 *
 * @throws OperatorError in one line when it cannot be opened or belongs to another program
 */
export async function openDatabase(config: Config): Promise<Database> {
  try {
    return await open(config);
  } catch (error) {
    throw error instanceof DatabaseFault ? new OperatorError(`DATABASE_URL: ${error.message}`) : error;
  }
}

/** Only the driver that is needed is loaded: the start takes less time and memory. */
async function open(config: Config): Promise<Database> {
  const { DATABASE_URL: database } = config;
  if (database.engine === 'sqlite') {
    const { openSqlite } = await import('./database/sqlite/open.ts');
    return openSqlite(database.file, schema);
  }
  const { openPostgres } = await import('./database/postgres/open.ts');
  const limits = {
    poolSize: config.DATABASE_POOL_SIZE,
    connectTimeoutMs: config.DATABASE_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    idleTimeoutMs: config.DATABASE_IDLE_TIMEOUT_MS,
  };
  return openPostgres(database.url, schema, limits);
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
