import { readConfig } from '../config.ts';
import { OperatorError } from '../operator-error.ts';

/** @throws OperatorError when the database is not SQLite */
export function readSqliteFile(): string {
  const { DATABASE_URL: database } = readConfig();
  if (database.engine === 'sqlite') return database.file;
  throw new OperatorError(
    'this is for SQLite. Use pg_dump and pg_restore for PostgreSQL: docs/upgrade.md, Back up and restore PostgreSQL',
  );
}
