import { randomUUID } from 'node:crypto';
import { constants, type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError, exitCodes } from './exit-code.ts';

/** No journal and no lock is longer. */
const MAX_JSON_BYTES = 64 * 1024;

/**
 * Opens a file that an earlier run of a command wrote.
 *
 * @param flags such as `constants.O_RDWR`
 * @returns `undefined` when there is none
 * @throws CommandError when something else has its name: a link leads to any file, a pipe or device has no end
 */
export async function openRegularFile(path: string, flags: number): Promise<FileHandle | undefined> {
  // A pipe without a writer would block. Windows has neither of the two flags.
  const safeFlags = flags | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, safeFlags).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw codeOf(error) === 'ELOOP' ? notRegular(path) : error;
  });
  if (file === undefined || (await file.stat()).isFile()) return file;
  await file.close();
  throw notRegular(path);
}

const notRegular = (path: string) =>
  new CommandError(`${path} must be a regular file, and is a link, a folder or a device`, exitCodes.usage);

/** @returns the value in a JSON file, `undefined` in its place where it is no JSON; `undefined` when there is no file */
export async function readJsonFile(path: string): Promise<{ value: unknown } | undefined> {
  await using file = await openRegularFile(path, constants.O_RDONLY);
  if (file === undefined) return undefined;
  if ((await file.stat()).size > MAX_JSON_BYTES) return { value: undefined };
  try {
    return { value: JSON.parse(await file.readFile('utf8')) };
  } catch (error) {
    if (error instanceof SyntaxError) return { value: undefined };
    throw error;
  }
}

/** Replaces a file as a whole, durably: after a power cut it has its old text or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  // A random name, which no other program can foresee: a link of that name would lead to a file that is overwritten.
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    {
      await using file = await open(temporary, 'wx');
      await file.writeFile(text);
      await file.sync();
    }
    await renameDurably(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolderOf(to);
}

/** Makes the name of a new file durable. */
export async function syncFolderOf(path: string): Promise<void> {
  // Windows has no folders to open.
  if (process.platform === 'win32') return;
  await using folder = await open(dirname(path), 'r');
  await folder.sync();
}

/** @returns the code of an error of the operating system, such as `ENOENT` */
export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
