import { closeSync, existsSync, mkdirSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseFault } from '../../database-fault.ts';
import { reasonOf } from '../../reason.ts';

const HEADER_BYTES = 100;

/** To check every page takes 2 ms for each MiB: of a larger file, it would delay the start. */
const MAX_CHECKED_BYTES = 4 * 1024 * 1024;

/**
 * Creates an empty file, readable by its owner only, when there is none. Checks an existing one without changing it,
 * except that it rolls back what a killed start had begun.
 *
 * @param applicationId distinguishes our files from those of other programs (SQLite file format, 1.3)
 * @throws DatabaseFault when the file is not a SQLite database, belongs to another program or is damaged;
 *   an error of the system or of SQLite when it cannot be read
 */
export function prepareFile(file: string, applicationId: number): void {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
  const { size } = statSync(file);
  if (size === 0) return;
  const fault =
    faultOfHeader(file, applicationId) ??
    (size <= MAX_CHECKED_BYTES ? faultOfPages(file, 'quick_check') : undefined);
  if (fault) throw new DatabaseFault(`${file} ${fault}; it was left as it is`);
}

/** Node's own recursive way never ends where the system allows no new folder, such as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

/** What is wrong with a file that is no complete, undamaged database of ours. Every page and index is checked. */
export const faultOfFile = (file: string, applicationId: number) =>
  faultOfHeader(file, applicationId) ?? faultOfPages(file, 'integrity_check');

/** What is wrong with a file by its header alone. */
export function faultOfHeader(file: string, applicationId: number): string | undefined {
  const header = readHeader(file);
  if (!header.toString('latin1').startsWith('SQLite format 3\0')) return 'is not a SQLite database';
  if (header.readUInt32BE(68) !== applicationId) return 'belongs to another program';
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const pages = header.readUInt32BE(28);
  // The log before the size: another process that closes the database removes it once the file is complete.
  const isComplete = existsSync(`${realpathSync(file)}-wal`) || statSync(file).size >= pages * pageSize;
  return isComplete ? undefined : 'is damaged: it is shorter than its header says';
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, HEADER_BYTES, 0);
    return header;
  } finally {
    closeSync(descriptor);
  }
}

function faultOfPages(file: string, check: 'quick_check' | 'integrity_check'): string | undefined {
  // A read-only connection cannot roll back.
  const isUnfinished = existsSync(`${realpathSync(file)}-journal`);
  const connection = new BetterSqlite3(file, { readonly: !isUnfinished, timeout: 0 });
  try {
    const result = String(connection.pragma(`${check}(1)`, { simple: true }));
    return result === 'ok' ? undefined : `is damaged: ${reasonOf(result)}`;
  } catch (error) {
    if (isDamage(error)) return `is damaged: ${reasonOf(error)}`;
    throw error;
  } finally {
    connection.close();
  }
}

const isDamage = (error: unknown) =>
  error instanceof BetterSqlite3.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code);
