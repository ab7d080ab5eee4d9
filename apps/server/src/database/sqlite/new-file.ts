import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** What SQLite keeps beside a database. */
export const COMPANIONS = ['-wal', '-shm', '-journal'] as const;

/**
 * Makes a database file that appears under its name once it is complete and durable: a process that is killed before
 * leaves one with another name. It is readable by its owner only.
 *
 * @param write fills the empty file of this name, and leaves nothing beside it
 * @param replace what happens right before the file takes the place of one that is there. @default there must be none
 * @throws the error of `write`, or of the system: `EEXIST` when there is a file that is not to be replaced
 */
export async function createDatabaseFile<Result>(
  file: string,
  write: (temporary: string) => Promise<Result>,
  replace?: () => void,
): Promise<Result> {
  const temporary = `${file}.partial-${process.pid}`;
  const remove = () => ['', ...COMPANIONS].map((suffix) => rmSync(temporary + suffix, { force: true }));
  // A killed process may have had the same id.
  remove();
  closeSync(openSync(temporary, 'wx', 0o600));
  try {
    const result = await write(temporary);
    sync(temporary);
    replace?.();
    if (replace) renameSync(temporary, file);
    else renameToNew(temporary, file);
    return result;
  } finally {
    remove();
    sync(dirname(file));
  }
}

/** File systems without hard links, such as that of a memory stick or a network. */
const HAS_NO_LINKS = /^(?:EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/;

/** A rename alone would replace a file that has come meanwhile. */
function renameToNew(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!HAS_NO_LINKS.test(code) || existsSync(to)) throw error;
    renameSync(from, to);
  }
}

/** Makes a file durable, or the names in a folder. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
