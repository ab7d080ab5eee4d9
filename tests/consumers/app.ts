import { readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  const ours = Object.fromEntries(packages.map((name) => [`@petstore/${name}`, versionOf(name)]));
  const manifest = { private: true, type: 'module', dependencies: { ...ours, ...dependencies } };
  const app = await copyApp(new URL(folder, import.meta.url));
  await writeFile(join(app.path, 'package.json'), JSON.stringify(manifest));
  await app.run(manager, 'install');
  return app;
}

/** Installs one of the examples of the client outside of this repository, as a user who copies it would. */
export async function createExample(name: string): Promise<App> {
  const app = await copyApp(new URL(`../../packages/client/examples/${name}/`, import.meta.url));
  await app.run('npm', 'install');
  return app;
}

async function copyApp(folder: URL): Promise<App> {
  const { path, file, ...disposable } = await temporaryFolder();
  await cp(fileURLToPath(folder), path, { recursive: true });
  await writeFile(file('.npmrc'), `registry=${inject('registryUrl')}\naudit=false\nfund=false\n`);
  const env = { PETSTORE_BASE_URL: inject('baseUrl'), PETSTORE_API_KEY: inject('apiKey') };
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
