import { readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { inject } from 'vitest';
import { type PublishedPackage, packageFolder } from './registry.ts';
import { attempt, type Outcome, run } from './run.ts';

export type PackageManager = 'npm' | 'pnpm';

export interface App extends AsyncDisposable {
  path: string;
  /** Runs a command in the app's folder. @throws Error when it fails */
  run(command: string, ...args: string[]): Promise<string>;
  /** Runs a command in the app's folder, whether it succeeds or fails. */
  attempt(command: string, ...args: string[]): Promise<Outcome>;
}

/**
 * Creates a fresh app outside of this repository and installs its dependencies, as a user would.
 *
 * @param folder the folder of this directory that has the files of the app
 * @param packages the packages of this repository that it uses, without their scope
 * @param dependencies other packages with versions or ranges
 */
export async function createApp(
  folder: string,
  packages: PublishedPackage[],
  dependencies: Record<string, string> = {},
  manager: PackageManager = 'npm',
): Promise<App> {
  const { path, file, ...disposable } = await temporaryFolder();
  await cp(fileURLToPath(new URL(folder, import.meta.url)), path, { recursive: true });
  const ours = Object.fromEntries(packages.map((name) => [`@petstore/${name}`, versionOf(name)]));
  const manifest = { private: true, type: 'module', dependencies: { ...ours, ...dependencies } };
  await writeFile(file('package.json'), JSON.stringify(manifest));
  await writeFile(file('.npmrc'), `registry=${inject('registryUrl')}\naudit=false\nfund=false\n`);
  const env = { PETSTORE_BASE_URL: inject('baseUrl'), PETSTORE_API_KEY: inject('apiKey') };
  await run(manager, ['install'], { cwd: path });
  return {
    path,
    run: (command, ...args) => run(command, args, { cwd: path, env }),
    attempt: (command, ...args) => attempt(command, args, { cwd: path, env }),
    ...disposable,
  };
}

/** The version that the registry has: that of the working tree. */
function versionOf(name: PublishedPackage): string {
  return JSON.parse(readFileSync(`${packageFolder(name)}package.json`, 'utf8')).version;
}
