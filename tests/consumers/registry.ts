import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { run } from './run.ts';

/** The folders of the packages, without the scope of their names. */
const PUBLISHED = {
  contract: 'packages/contract',
  client: 'packages/client',
  conformance: 'packages/conformance',
  cli: 'apps/cli',
};
export type PublishedPackage = keyof typeof PUBLISHED;

/** The folder of a package in this repository, with a slash at its end. */
export const packageFolder = (name: PublishedPackage) => pathOf(PUBLISHED[name]);

const pathOf = (folder: string) => fileURLToPath(new URL(`../../${folder}/`, import.meta.url));

const START_TIMEOUT_MS = 60_000;

export interface Registry extends AsyncDisposable {
  url: string;
}

/** Starts an npm registry on loopback, with our packages as they would be published and all others by proxy. */
export async function startRegistry(): Promise<Registry> {
  const folder = await temporaryFolder();
  const upstream = (await run('npm', ['config', 'get', 'registry'], { cwd: folder.path })).trim();
  await copyFile(new URL('registry/package.json', import.meta.url), folder.file('package.json'));
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder.path });
  await writeFile(folder.file('config.yaml'), configuration(upstream));

  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  const server = spawn('npx', ['verdaccio', '--config', 'config.yaml', '--listen', `127.0.0.1:${port}`], {
    cwd: folder.path,
    // A group of its own, so that the server ends together with npx.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await waitUntilUp(url, server);
  await publish(url, folder.file('npmrc'));
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      if (server.pid !== undefined) process.kill(-server.pid);
      await ended;
      await folder[Symbol.asyncDispose]();
    },
  };
}

const configuration = (upstream: string) => `
storage: ./storage
uplinks:
  upstream:
    url: ${upstream}
    maxage: 60m
packages:
  '@petstore/*':
    access: $all
    publish: $all
  '**':
    access: $all
    proxy: upstream
log: { type: stdout, format: pretty, level: fatal }
`;

async function waitUntilUp(url: string, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (
    !(await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (server.exitCode !== null || performance.now() > deadline) throw new Error('verdaccio does not start');
    await sleep(100);
  }
}

async function publish(url: string, npmrc: string): Promise<void> {
  // The registry accepts every publication, but pnpm refuses to publish without a token.
  await writeFile(npmrc, `registry=${url}\n${url.replace('http:', '')}:_authToken=any\n`);
  for (const folder of Object.values(PUBLISHED)) {
    await run('pnpm', ['publish', '--no-git-checks', '--registry', url], {
      cwd: pathOf(folder),
      env: { NPM_CONFIG_USERCONFIG: npmrc },
    });
  }
}
