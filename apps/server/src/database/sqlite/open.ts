import { realpathSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { StartupError } from '../../startup-error.ts';
import type { Database } from '../database.ts';
import type { ColumnTypes } from '../migrations/column-types.ts';
import { migrateToLatest } from '../migrations/migrate.ts';
import { probe } from '../probe.ts';
import { reasonOf } from '../reason.ts';
import { retry } from '../retry.ts';
import type { Tables } from '../schema.ts';
import { PreparingSqliteDialect } from './dialect.ts';
import { APPLICATION_ID, prepareFile } from './file.ts';
import { FileGoneError, FileWatch } from './file-watch.ts';
import { SqliteVersions } from './versions.ts';

/** How long work waits for another process that holds a lock, and how often it looks. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_INTERVAL_MS = 5;

const columnTypes: ColumnTypes = {
  id: sql`integer primary key`,
  int64: sql`integer`,
  tableEnd: sql`strict`,
};

/**
 * Opens a SQLite database and brings its schema up to date. The file, and its folder, are made when
 * they are missing, readable by their owner only.
 *
 * @throws StartupError when the file is damaged, not ours, or cannot be opened
 */
export async function openSqlite(file: string): Promise<Database> {
  try {
    // Of two that make the same file SQLite fails one at once, where each waits for the other.
    const connection = await whileBusy(async () => {
      prepareFile(file);
      return connect(file);
    });
    return await open(file, connection);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`DATABASE_URL: cannot open ${file}: ${reasonOf(error)}`);
  }
}

async function open(file: string, connection: BetterSqlite3.Database): Promise<Database> {
  const versions = new SqliteVersions(connection);
  const kysely = new Kysely<Tables>({ dialect: new PreparingSqliteDialect(connection) });
  const transact: Database['transact'] = (work) =>
    whileBusy(() => kysely.transaction().execute(work)).finally(() => versions.advance());
  try {
    await transact((transaction) => migrateToLatest(transaction, columnTypes));
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
  const files = new FileWatch([file, `${realpathSync(file)}-wal`]);
  return {
    maxConcurrentTransactions: 1,
    epoch: versions.current().epoch,
    read: (work) =>
      whileBusy(() => {
        files.check();
        return work(kysely);
      }),
    async transact(work) {
      files.check();
      return transact(work);
    },
    version: () =>
      whileBusy(async () => {
        files.check();
        return versions.current();
      }),
    probe: () =>
      whileBusy(async () => {
        files.check();
        await probe(kysely);
      }),
    isUnavailable,
    async [Symbol.asyncDispose]() {
      if (files.findChanged() !== undefined) emptyLog(connection);
      await kysely.destroy();
    },
  };
}

/**
 * Brings what is in the write-ahead log into the file that was moved away. SQLite would leave it, and the
 * next start would take it for that of the file in its place.
 */
function emptyLog(connection: BetterSqlite3.Database): void {
  try {
    connection.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // There is no room, or the log is gone itself.
  }
}

/**
 * SQLite's own way of waiting would hold up the event loop, and with it everybody who only reads. They wait
 * themselves while another process recovers the log of one that was killed.
 */
const whileBusy = <Result>(attempt: () => Promise<Result>) =>
  retry(attempt, { when: isBusy, forMs: BUSY_TIMEOUT_MS, pauseMs: 2 * BUSY_INTERVAL_MS });

const isBusy = (error: unknown) =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY');

function connect(file: string): BetterSqlite3.Database {
  const connection = new BetterSqlite3(file, { timeout: 0 });
  try {
    if (connection.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      connection.pragma(`application_id = ${APPLICATION_ID}`);
    }
    connection.pragma('journal_mode = WAL');
    // An acknowledged animal survives a power cut.
    connection.pragma('synchronous = FULL');
    connection.defaultSafeIntegers(true);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)/;

const isUnavailable = (error: unknown) =>
  error instanceof BetterSqlite3.SqliteError ? UNAVAILABLE.test(error.code) : error instanceof FileGoneError;
