/**
 * Whether what was released last and what is here get on: the client of the last tag with this server,
 * this client with the server of the last tag, and this server with the contract tests of the last tag.
 * For pull requests; `pnpm build` must have run here. The tag is built in a folder of its own.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { createPetStore } from '../packages/client/src/index.ts';

const HERE = join(import.meta.dirname, '..');
const API_KEY = 'compatibility';

const tag = lastTag();
if (tag === undefined) console.log('There is no tag yet: nothing to be compatible with.');
else await compare(tag);

async function compare(tag: string) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-compatibility-'));
  const released = join(folder, 'released');
  try {
    run('git', ['worktree', 'add', '--detach', released, tag], HERE);
    run('pnpm', ['install', '--frozen-lockfile'], released);
    run('pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only'], released);

    await using server = await startServer(HERE, join(folder, 'here.db'));
    await tryClient(released, server.baseUrl);
    console.log(`The client of ${tag} works with this server.`);
    const suite = join(released, 'packages/conformance/dist/cli.js');
    run(process.execPath, [suite, '--base-url', server.baseUrl, '--api-key', API_KEY], HERE);
    console.log(`This server passes the contract tests of ${tag}.`);

    await using oldServer = await startServer(released, join(folder, 'released.db'));
    await tryClient(HERE, oldServer.baseUrl);
    console.log(`This client works with the server of ${tag}.`);
  } finally {
    run('git', ['worktree', 'remove', '--force', released], HERE);
    rmSync(folder, { recursive: true });
  }
}

/** What every client of this interface promises, whatever its release. */
async function tryClient(checkout: string, baseUrl: string) {
  const module: { createPetStore: typeof createPetStore } = await import(
    pathToFileURL(join(checkout, 'packages/client/dist/index.js')).href
  );
  const store = module.createPetStore({ baseUrl, apiKey: API_KEY });
  const pet = await store.createPet({ name: 'Ñandú 🦤', categoryId: 9007199254740993n, status: 'sold' });
  assert.deepEqual(await store.getPet(pet.id), { ...pet, categoryId: 9007199254740993n, status: 'sold' });
  for (const name of ['one', 'two', 'three']) await store.createPet({ name, categoryId: 1 });
  const walked: unknown[] = [];
  for await (const { id } of store.pets()) walked.push(id);
  assert.equal(new Set(walked).size, 4);
  assert.deepEqual(await store.listPets({ status: 'sold', limit: 1 }), [pet]);
  await assert.rejects(store.getPet(4711), { code: 'pet_not_found', status: 404 });
}

async function startServer(checkout: string, file: string) {
  const child = spawn(process.execPath, [join(checkout, 'apps/server/dist/cli.js'), 'serve'], {
    env: { PATH: process.env.PATH, PORT: '0', API_KEYS: API_KEY, DATABASE_URL: `sqlite:${file}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  child.stdout.resume();
  const [, baseUrl = ''] = /"address":"([^"]+)"/.exec(String(line)) ?? [];
  return {
    baseUrl,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

function lastTag(): string | undefined {
  const tags = execFileSync('git', ['tag', '--list', 'v*', '--sort=-version:refname'], { encoding: 'utf8' });
  return tags.split('\n').find(Boolean);
}

function run(command: string, args: string[], cwd: string) {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
