import BetterSqlite3 from 'better-sqlite3';

/** Replaces `SQLITE_FULL`, which SQLite reports when the highest id is taken. */
export const IDS_EXHAUSTED = 'IDS_EXHAUSTED';

/** SQLite's code of an error. Any other error counts as `SQLITE_ERROR`, a failure of the work itself. */
export const codeOf = (error: unknown) =>
  error instanceof BetterSqlite3.SqliteError ? error.code : 'SQLITE_ERROR';

export const isBusy = (error: unknown) => codeOf(error).startsWith('SQLITE_BUSY');

/** Whether a file is damaged, or is not a database. */
export const isDamage = (error: unknown) => /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error));

const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL|CORRUPT|NOTADB)/;

/** A constraint or a trigger of the operator refuses a value. */
const REFUSED = /^SQLITE_CONSTRAINT_(?:FOREIGNKEY|CHECK|TRIGGER|UNIQUE)/;

export function classify(error: unknown) {
  if (codeOf(error) === IDS_EXHAUSTED) return 'exhausted';
  if (REFUSED.test(codeOf(error))) return 'refused';
  return UNAVAILABLE.test(codeOf(error)) ? 'unavailable' : undefined;
}
