import { type Database, isCausedByWork } from '../database/database.ts';
import { reasonOf } from '../database/reason.ts';
import { type Config, readConfig } from '../process/config.ts';
import { OperatorError } from '../process/operator-error.ts';

/**
 * Creates the database of the configuration without opening it. Only the driver of its engine is loaded.
 * @throws DatabaseFault when a certificate is missing, for example
 */
export async function createDatabase(config: Config): Promise<Database> {
  const { DATABASE_URL: location, DATABASE_URL_FILE: file } = config;
  if (location.engine === 'sqlite') {
    const { SqliteDatabase } = await import('../database/sqlite/database.ts');
    return new SqliteDatabase(location.file);
  }
  const { PostgresDatabase } = await import('../database/postgres/database.ts');
  const limits = {
    max: config.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: config.DATABASE_CONNECT_TIMEOUT_MS,
    statement_timeout: config.DATABASE_STATEMENT_TIMEOUT_MS,
    idleTimeoutMillis: config.DATABASE_IDLE_TIMEOUT_MS,
  };
  const readUrl = () => {
    const { DATABASE_URL: changed } = readConfig({ DATABASE_URL_FILE: file });
    if (changed.engine === 'postgres') return changed.url;
    throw new OperatorError('DATABASE_URL_FILE: must stay a PostgreSQL URL; restart to change the engine');
  };
  return new PostgresDatabase(
    { url: location.url, readUrl: file === undefined ? undefined : readUrl },
    limits,
  );
}

/**
 * Waits for work on a database, and turns its errors into messages for the operator.
 * @param hint ends the message for an unavailable database
 * @throws OperatorError when the database is unavailable, or refuses the work
 */
export async function withOperatorErrors<Result>(
  database: Database,
  work: Promise<Result>,
  hint = '',
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isCausedByWork(database, error)) {
      throw new OperatorError(`DATABASE_URL: the database is unavailable: ${reasonOf(error)}${hint}`);
    }
    // Errors of the database, such as a missing privilege or a refused value, have a code. Codes of Node.js begin with E.
    const isOfDatabase = error instanceof Error && 'code' in error && !String(error.code).startsWith('E');
    throw isOfDatabase ? new OperatorError(`DATABASE_URL: ${reasonOf(error)}`) : error;
  }
}
