import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TemporaryFolder = Awaited<ReturnType<typeof temporaryFolder>>;

/**
 * Creates a folder for one test. It is removed when it is disposed.
 * @param parent the folder to create it in. Its programs can import the packages that are installed there or above
 */
export async function temporaryFolder(parent = tmpdir()) {
  await mkdir(parent, { recursive: true });
  const path = await mkdtemp(join(parent, 'petstore-'));
  return {
    path,
    /** The path of a file in it. */
    file: (name: string) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** The version of an installed package. */
export const versionOf = (name: string): unknown =>
  JSON.parse(readFileSync(findPackageJSON(name, import.meta.url) ?? '', 'utf8')).version;
