import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder for one test. It is removed when it is disposed. */
export async function temporaryFolder(): Promise<
  AsyncDisposable & { path: string; file(name: string): string }
> {
  const path = await mkdtemp(join(tmpdir(), 'petstore-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
