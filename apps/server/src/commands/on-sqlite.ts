import { readConfig } from '../config.ts';
import type { Progress, RowCounts } from '../database/sqlite/backup.ts';
import { OperatorError } from '../operator-error.ts';
import { withProgress } from './progress.ts';

/**
 * Runs work on the file of the SQLite database.
 *
 * @param work returns the lines that say what it has done
 */
export async function onSqlite(
  work: (file: string, progress: Progress) => Promise<readonly string[]>,
): Promise<void> {
  const { DATABASE_URL: database } = readConfig();
  if (database.engine !== 'sqlite') {
    throw new OperatorError(
      'this is for SQLite. Use pg_dump and pg_restore for PostgreSQL: docs/upgrade.md, Back up and restore PostgreSQL',
    );
  }
  await withProgress((progress) => work(database.file, progress));
}

/** Says how much a database has. */
export const describeCounts = ({ pets = 0, api_keys = 0 }: RowCounts) =>
  `${pets.toLocaleString('en')} pets and ${api_keys.toLocaleString('en')} API keys`;
