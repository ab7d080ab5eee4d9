import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

export type TemporaryFolder = Awaited<ReturnType<typeof temporaryFolder>>;

/**
 * Creates a folder for one test. It is removed when it is disposed.
 * @param parent the folder to create it in. Programs in it can import the packages that `parent` can import
 * @param options.prefix the beginning of its name
 */
export async function temporaryFolder(parent = tmpdir(), { prefix = 'petstore-' } = {}) {
  await mkdir(parent, { recursive: true });
  const path = await mkdtemp(join(parent, prefix));
  return {
    path,
    file: (name: string) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/**
 * Makes a folder from an installed package, once for each version of it and each user. Processes that test side by side
 * each make a folder of their own, and the first to finish gives it the final name.
 * @param make fills the folder `unfinished`, which is then renamed to `finished`: its files may contain that path
 */
export async function makeOnce(
  name: string,
  packageName: string,
  make: (unfinished: string, finished: string) => Promise<unknown>,
): Promise<string> {
  const { version } = JSON.parse(readFileSync(findPackageJSON(packageName, import.meta.url) ?? '', 'utf8'));
  const finished = join(tmpdir(), `petstore-${name}-${version}-${userInfo().username}`);
  if (existsSync(finished)) return finished;
  const unfinished = await mkdtemp(`${finished}-`);
  await make(unfinished, finished);
  await rename(unfinished, finished).catch(() => rm(unfinished, { recursive: true }));
  return finished;
}
