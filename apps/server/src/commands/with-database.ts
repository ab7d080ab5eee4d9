import type { Database, SchemaAccess } from '../database/database.ts';
import { readConfig } from '../process/config.ts';
import { OperatorError } from '../process/operator-error.ts';
import { killProcess } from '../process/stop-signals.ts';
import { createDatabase, withOperatorErrors } from '../service/create-database.ts';
import { failWith } from './output.ts';

/** How long closing the database may take, on a busy machine too. */
const END_TIMEOUT_MS = 10_000;

/** Runs a command on the database of the environment, and closes it. @param run also gets the applied migrations */
export async function withDatabase(
  access: SchemaAccess,
  run: (database: Database, applied: readonly string[]) => Promise<unknown>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  // Disposed after the database: the limit includes closing it. Tests run commands in their process: it must live on.
  using _timeLimit = { [Symbol.dispose]: () => clearTimeout(timer) };
  await using database = await createDatabase(readConfig());
  const applied = await database.open(access);
  // Reported before the database closes, because a thread that a disk blocks would keep it from closing.
  await withOperatorErrors(database, run(database, applied)).catch(failWith);
  timer = setTimeout(killProcess, END_TIMEOUT_MS).unref();
}

/** Returns the path of the SQLite database. @throws OperatorError when DATABASE_URL is not SQLite */
export function requireSqliteFile(): string {
  const { DATABASE_URL: database } = readConfig();
  if (database.engine === 'sqlite') return database.file;
  throw new OperatorError(
    'DATABASE_URL must be a SQLite file for this command. For PostgreSQL use pg_dump and pg_restore: docs/upgrade.md, Back up and restore PostgreSQL',
  );
}
