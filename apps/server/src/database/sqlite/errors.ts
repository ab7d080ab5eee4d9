import BetterSqlite3 from 'better-sqlite3';

const codeOf = (error: unknown) => (error instanceof BetterSqlite3.SqliteError ? error.code : '');

/** Whether another process holds a lock. */
export const isBusy = (error: unknown) => codeOf(error).startsWith('SQLITE_BUSY');

/** Whether a file is damaged, or no database. */
export const isDamage = (error: unknown) => /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error));
