import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder extends AsyncDisposable {
  path: string;
  /** The path of a file in it. */
  file(name: string): string;
}

/**
 * Creates a folder for one test. It is removed when it is disposed.
 * @param parent the folder to create it in. Its programs can import the packages that are installed there or above
 */
export async function temporaryFolder(parent = tmpdir()): Promise<TemporaryFolder> {
  await mkdir(parent, { recursive: true });
  const path = await mkdtemp(join(parent, 'petstore-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
