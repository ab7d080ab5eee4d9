import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { DatabaseFault } from './database/database-fault.ts';
import type { SchemaAccess } from './database/migrations/migrate.ts';
import { reasonOf } from './database/reason.ts';
import { OperatorError } from './operator-error.ts';
import { schema } from './schema.ts';

/**
 * Opens the database that the configuration names.
 *
 * @param access whether its schema may be brought up to date, or created in an empty database
 * @param variable what names the database to the operator
 * @throws OperatorError in one line when it cannot be opened, belongs to another program, or lacks a schema that may not
 *   be made
 */
export async function openDatabase(
  config: Config,
  access: SchemaAccess = 'migrate',
  variable = 'DATABASE_URL',
): Promise<Database> {
  try {
    return await open(config, access);
  } catch (error) {
    throw error instanceof DatabaseFault ? new OperatorError(`${variable}: ${error.message}`) : error;
  }
}

/** Only the driver that is needed is loaded: the start takes less time and memory. */
async function open(config: Config, access: SchemaAccess): Promise<Database> {
  const { DATABASE_URL: database } = config;
  if (database.engine === 'sqlite') {
    const { openSqlite } = await import('./database/sqlite/open.ts');
    return openSqlite(database.file, schema, access);
  }
  const { openPostgres } = await import('./database/postgres/open.ts');
  const limits = {
    max: config.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: config.DATABASE_CONNECT_TIMEOUT_MS,
    statement_timeout: config.DATABASE_STATEMENT_TIMEOUT_MS,
    idleTimeoutMillis: config.DATABASE_IDLE_TIMEOUT_MS,
  };
  return openPostgres(database.url, schema, limits, access);
}

/**
 * Waits for work on a database that a start or a command needs.
 *
 * @param hint what the operator does then
 * @throws OperatorError in one line when the database is unavailable
 */
export async function explainOutage<Result>(
  database: Database,
  work: Promise<Result>,
  hint = '',
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (database.classify(error) === undefined) throw error;
    throw new OperatorError(`DATABASE_URL: the database is unavailable: ${reasonOf(error)}${hint}`);
  }
}
