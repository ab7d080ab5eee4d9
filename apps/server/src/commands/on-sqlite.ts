import { readConfig } from '../config.ts';
import { reasonOf } from '../database/reason.ts';
import type { Progress, RowCounts } from '../database/sqlite/backup.ts';
import { OperatorError } from '../operator-error.ts';
import { print } from './output.ts';
import { ProgressDisplay } from './progress.ts';

/**
 * Runs work on the file of the SQLite database. A signal ends it unless it is about to be done anyway.
 *
 * @param work returns the lines that say what it has done
 */
export async function onSqlite(
  work: (file: string, progress: Progress) => Promise<readonly string[]>,
): Promise<void> {
  const { DATABASE_URL: database } = readConfig();
  if (database.engine !== 'sqlite') {
    throw new OperatorError(
      'this is for SQLite. Use pg_dump and pg_restore for PostgreSQL: docs/operations.md, Back up and restore',
    );
  }
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () =>
      interrupted.abort(new OperatorError(`interrupted by ${signal}, nothing was changed`)),
    );
  }
  const display = new ProgressDisplay({ signal: interrupted.signal });
  try {
    const lines = await work(database.file, display);
    display.end();
    for (const line of lines) print(line);
  } catch (error) {
    display.end();
    // Of the system or of SQLite: no space, no permission, locked.
    const isForOperators = error instanceof Error && 'code' in error;
    throw isForOperators ? new OperatorError(reasonOf(error)) : error;
  }
}

/** Says how much a database has. */
export const describeCounts = ({ pets = 0, api_keys = 0 }: RowCounts) =>
  `${pets.toLocaleString('en')} pets and ${api_keys.toLocaleString('en')} API keys`;
