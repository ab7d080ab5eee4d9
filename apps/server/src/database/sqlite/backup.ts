import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseFault } from '../database-fault.ts';
import { migrations } from '../migrations/index.ts';
import { reasonOf } from '../reason.ts';
import { assertIntact, assertOurs, assertPresent } from './connect.ts';
import { isDamage } from './errors.ts';
import { compareConnection } from './migrate.ts';

/** Files that SQLite keeps beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal'];
const SUFFIXES = ['', ...COMPANIONS];

export interface BackupOptions {
  interrupted: AbortSignal;
  /** Called before the work that may take long. */
  onStart?: () => void;
  /** The new name of a file that is already at the target. @default the target must not exist */
  keepAs?: string | undefined;
  /**
   * Whether root gives the copy the target's owner, group and permissions. If the target is missing, the copy gets the
   * owner and group of the folder, and only its owner can read it. Other users cannot keep the group: only they can read
   * their copy.
   */
  keepAccess?: boolean;
  /** Changes the verified copy before it gets its name. */
  complete?: ((copy: string) => Promise<void>) | undefined;
}

/**
 * Copies a snapshot of a database into a new file, while servers may be writing, and verifies the copy. Only the owner
 * can read the copy, unless `keepAccess`. It gets its name once it is complete and durable.
 * @throws DatabaseFault when the database is missing, damaged or of another program, or the new file exists; an error of
 *   the system; the reason of `interrupted`
 */
export async function backUp(file: string, to: string, options: BackupOptions): Promise<void> {
  const { complete, interrupted, keepAs, keepAccess, onStart } = options;
  assertPresent(file);
  const isReplaced = keepAs !== undefined && existsSync(to);
  // Names of companions must be free, too: SQLite would apply a log beside the new database, or the kept one.
  const newNames = SUFFIXES.map((suffix) => (keepAs ?? to) + suffix);
  if (!isReplaced) newNames.push(to);
  const taken = newNames.find(isTaken);
  if (taken !== undefined) throw new DatabaseFault(`${taken} exists, and is not overwritten`);
  // Not the process id: in containers, each process has the id 1.
  const copy = `${to}.partial-${randomUUID()}`;
  let source: BetterSqlite3.Database | undefined;
  try {
    // Read before the file is opened: later it could be the number of a newer file.
    const { ino } = statSync(file, { bigint: true });
    source = new BetterSqlite3(file);
    // If no server has the file open, a read-only connection would leave `-wal` and `-shm` files behind.
    source.pragma('query_only = ON');
    assertOurs(source);
    // 'migrate' accepts a database of an older release, although nothing migrates it here.
    await compareConnection(source, migrations, 'migrate').catch((error: unknown) => {
      throw error instanceof DatabaseFault
        ? new DatabaseFault(`${file}: ${error.message}`, { cause: error })
        : error;
    });
    closeSync(openSync(copy, 'wx', 0o600));
    onStart?.();
    // Without a transaction the copy would begin again at every commit of a server.
    source.exec('begin; select count(*) from sqlite_schema');
    // A restore may have locked the file, and replaced it.
    if (statSync(file, { bigint: true }).ino !== ino)
      throw new DatabaseFault(`${file} was replaced, for example by a restore: try again`);
    await source.backup(copy, {
      progress() {
        interrupted.throwIfAborted();
        // Pages that are copied before the next turn of the event loop, which handles signals: 4 MB.
        return 1_000;
      },
    });
    // While the transaction is open, a server's log only grows. The verification takes about as long as the copy.
    source.close();
    verify(copy);
    await complete?.(copy);
    // Signals that came while the verification blocked the event loop arrive in the next turn.
    await setImmediate();
    interrupted.throwIfAborted();
    if (keepAccess && process.getuid?.() === 0) {
      const { uid, gid, mode } = statSync(isReplaced ? to : dirname(to));
      chownSync(copy, uid, gid);
      if (isReplaced) chmodSync(copy, mode & 0o777);
    }
    if (isReplaced) {
      giveName(to, keepAs);
      keepCompanions(to, keepAs);
      renameSync(copy, to);
    } else {
      // A missing database may have left its log. If a server has made it again, the log is new, and `giveName` throws.
      if (keepAs !== undefined && !isTaken(to)) keepCompanions(to, keepAs);
      giveName(copy, to);
    }
    const folder = openSync(dirname(to), 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch (error) {
    if (!(error instanceof BetterSqlite3.SqliteError)) throw error;
    const problem = isDamage(error) ? 'is damaged' : 'cannot be copied';
    throw new DatabaseFault(`${file} ${problem}: ${reasonOf(error)}`);
  } finally {
    source?.close();
    for (const suffix of SUFFIXES) rmSync(copy + suffix, { force: true });
  }
}

/** Whether something has this name. A symbolic link may lead to a missing file. */
const isTaken = (name: string): boolean => lstatSync(name, { throwIfNoEntry: false }) !== undefined;

/**
 * Gives a file a second name, and keeps the first: the database stays in its place if the process is killed. `rename`
 * would replace a database that a server has made meanwhile.
 * @throws DatabaseFault when `to` exists; an error of the system
 */
function giveName(file: string, to: string): void {
  try {
    linkSync(file, to);
  } catch {
    if (isTaken(to)) throw new DatabaseFault(`${to} exists, and is not overwritten`);
    // FAT, for example, has no links. The file is missing in its first place from here on.
    renameSync(file, to);
  }
}

/** Renames the log of a database: SQLite would apply it to the next file in this place. */
function keepCompanions(file: string, keepAs: string): void {
  for (const suffix of COMPANIONS) if (existsSync(file + suffix)) renameSync(file + suffix, keepAs + suffix);
}

/** @throws SqliteError when a page or an index of the copy is damaged */
function verify(copy: string): void {
  const connection = new BetterSqlite3(copy);
  try {
    // Without a write-ahead log the copy is one file, also in a read-only folder.
    connection.pragma('journal_mode = delete');
    assertIntact(connection);
  } finally {
    connection.close();
  }
}
