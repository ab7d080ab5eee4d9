import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own for a test, gone after it. */
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
