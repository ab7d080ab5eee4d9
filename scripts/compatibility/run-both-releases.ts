import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import type { createPetStore } from '../../packages/client/src/index.ts';
import { buildRelease } from './build-release.ts';
import type { Change, Level } from './level.ts';

const HERE = join(import.meta.dirname, '../..');

/**
 * Runs the server of each release against the client and the conformance suite of the other.
 *
 * @param commit the last release, which is built in a folder of its own
 */
export async function runBothReleases(commit: string): Promise<Change[]> {
  await using folder = await temporaryFolder();
  await using release = await buildRelease(commit);
  const released = release.path;
  await using server = await startServer({ DATABASE_URL: `sqlite:${folder.file('here.db')}` });
  await using oldServer = await startServer(
    { DATABASE_URL: `sqlite:${folder.file('released.db')}` },
    { cli: release.cli },
  );
  return [
    ...(await tryClient(released, server.baseUrl, 'the client of the last release fails', 'major')),
    ...failedChecks(
      released,
      server.baseUrl,
      'the last release demands it, this server does not do it',
      'major',
    ),
    // What only this release does is an addition.
    ...(await tryClient(HERE, oldServer.baseUrl, 'this client needs more than the last release', 'minor')),
    ...failedChecks(
      HERE,
      oldServer.baseUrl,
      'this release demands it, the last server does not do it',
      'minor',
    ),
  ];
}

/** The checks of a checkout's conformance suite that a server fails. */
function failedChecks(checkout: string, baseUrl: string, what: string, level: Level): Change[] {
  const suite = join(checkout, 'packages/conformance/dist/cli.js');
  const args = [suite, '--base-url', baseUrl, '--api-key', FIXED_KEY];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0 && status !== 1) throw new Error(`The conformance suite did not run: ${stderr}`);
  const names = Array.from(
    stdout.matchAll(/^FAIL (.*?) \((?:interface|decision|RFC)/gm),
    ([, name = '']) => name,
  );
  return [...new Set(names)].map((where) => ({ level, where, what }));
}

/** What every client of this interface promises, whatever its release. */
async function tryClient(checkout: string, baseUrl: string, what: string, level: Level): Promise<Change[]> {
  const module: { createPetStore: typeof createPetStore } = await import(
    pathToFileURL(join(checkout, 'packages/client/dist/index.js')).href
  );
  const store = module.createPetStore({ baseUrl, apiKey: FIXED_KEY, onDeprecation: false });
  try {
    const categoryId = 9007199254740993n;
    const pet = await store.createPet({ name: 'Ñandú 🦤', categoryId, status: 'sold' });
    assert.deepEqual(await store.getPet(pet.id), { ...pet, categoryId, status: 'sold' });
    for (const name of ['one', 'two', 'three']) await store.createPet({ name, categoryId: 1 });
    const ids = await Array.fromAsync(store.pets(), ({ id }) => id);
    assert.equal(new Set(ids).size, 4);
    assert.deepEqual(await store.listPets({ status: 'sold', limit: 1 }), [pet]);
    await assert.rejects(store.getPet(4711), { code: 'pet_not_found', status: 404 });
    return [];
  } catch (error) {
    return [
      { level, where: 'the client', what: `${what}: ${error instanceof Error ? error.message : error}` },
    ];
  }
}
