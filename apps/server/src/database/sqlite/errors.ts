import BetterSqlite3 from 'better-sqlite3';

/** The code of the error when the highest id is taken. SQLite has none of its own for that: it says `SQLITE_FULL`. */
export const IDS_EXHAUSTED = 'IDS_EXHAUSTED';

/** The code of an error of SQLite. Any other error is due to the work itself, as one with this code is. */
export const codeOf = (error: unknown) =>
  error instanceof BetterSqlite3.SqliteError ? error.code : 'SQLITE_ERROR';

/** Whether another process holds a lock. */
export const isBusy = (error: unknown) => codeOf(error).startsWith('SQLITE_BUSY');

/** Whether a file is damaged, or no database. */
export const isDamage = (error: unknown) => /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error));

const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL|CORRUPT|NOTADB)/;

export function classify(error: unknown) {
  if (codeOf(error) === IDS_EXHAUSTED) return 'exhausted';
  return UNAVAILABLE.test(codeOf(error)) ? 'unavailable' : undefined;
}
