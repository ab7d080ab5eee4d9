import BetterSqlite3 from 'better-sqlite3';
import { retry } from '../retry.ts';

/** How long work waits for another process that holds a lock, and how often it tries. */
const TIMEOUT_MS = 5_000;
const INTERVAL_MS = 5;

/**
 * Repeats work while another process holds a lock, readers too: they wait while the log of a process that was
 * killed is recovered. SQLite's own way of waiting would stop the event loop, and with it all that only reads.
 */
export const whileBusy = <Result>(attempt: () => Result | Promise<Result>) =>
  retry(attempt, { when: isBusy, forMs: TIMEOUT_MS, pauseMs: 2 * INTERVAL_MS });

const isBusy = (error: unknown) =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY');
