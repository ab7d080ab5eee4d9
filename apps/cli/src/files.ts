import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** @returns the value in a JSON file, `undefined` in its place where it is no JSON; `undefined` when there is no file */
export async function readJsonFile(path: string): Promise<{ value: unknown } | undefined> {
  try {
    return { value: JSON.parse(await readFile(path, 'utf8')) };
  } catch (error) {
    if (error instanceof SyntaxError) return { value: undefined };
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces a file as a whole, durably: after a power cut it has its old text or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  {
    await using file = await open(temporary, 'w');
    await file.writeFile(text);
    await file.sync();
  }
  await renameDurably(temporary, path);
}

export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  // Windows has no folders to open.
  if (process.platform === 'win32') return;
  await using folder = await open(dirname(to), 'r');
  await folder.sync();
}

/** Writes all of a text at a position. @returns how many bytes it has */
export async function writeAt(file: FileHandle, text: string, position: number): Promise<number> {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, offset, bytes.length - offset, position + offset);
    offset += bytesWritten;
  }
  return bytes.length;
}
