import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import type { createPetStore } from '../../packages/client/src/index.ts';
import type { runChecks } from '../../packages/conformance/src/index.ts';
import { buildRelease } from './build-release.ts';
import type { Change } from './changes.ts';

const HERE = join(import.meta.dirname, '../..');

/**
 * Runs the server of each release against the client and the conformance suite of the other.
 *
 * @param commit the last release, which is built in a folder of its own
 * @returns a major change where this server lacks what the last release has, and a minor one where only this
 *   release has it
 */
export async function runBothReleases(commit: string): Promise<Change[]> {
  await using folder = await temporaryFolder();
  await using release = await buildRelease(commit);
  await using server = await startServer({ DATABASE_URL: `sqlite:${folder.file('here.db')}` });
  await using oldServer = await startServer(
    { DATABASE_URL: `sqlite:${folder.file('released.db')}` },
    { cli: release.cli },
  );
  const breaking = await findFailures(release.path, server.baseUrl);
  const additions = await findFailures(HERE, oldServer.baseUrl);
  return [
    ...breaking.map((what): Change => ({ level: 'major', what, where: 'the last release on this server' })),
    ...additions.map((what): Change => ({ level: 'minor', what, where: 'this release on the last server' })),
  ];
}

/** Runs the client and the conformance suite of a checkout against a server. */
async function findFailures(checkout: string, baseUrl: string): Promise<string[]> {
  const failures = [];
  const client = await load<{ createPetStore: typeof createPetStore }>(checkout, 'client');
  try {
    await useClient(client.createPetStore({ baseUrl, apiKey: FIXED_KEY, onDeprecation: false }));
  } catch (error) {
    failures.push(`the client fails: ${error instanceof Error ? error.message : error}`);
  }
  const suite = await load<{ runChecks: typeof runChecks }>(checkout, 'conformance');
  const failed = [];
  for await (const { check, passed } of suite.runChecks({ baseUrl, apiKey: FIXED_KEY, fetch })) {
    if (!passed) failed.push(check.name);
  }
  if (failed.length > 0) failures.push(`the conformance suite fails: ${failed.join('; ')}`);
  return failures;
}

/** The built package of a checkout. Its types are those of this one, as far as every release has kept them. */
async function load<Module>(checkout: string, name: string): Promise<Module> {
  return import(pathToFileURL(join(checkout, `packages/${name}/dist/index.js`)).href);
}

/** What every client of this interface promises, whatever its release. */
async function useClient(store: ReturnType<typeof createPetStore>): Promise<void> {
  const categoryId = 9007199254740993n;
  const pet = await store.createPet({ name: 'Ñandú 🦤', categoryId, status: 'sold' });
  assert.deepEqual(await store.getPet(pet.id), { ...pet, categoryId, status: 'sold' });
  for (const name of ['one', 'two', 'three']) await store.createPet({ name, categoryId: 1 });
  const ids = await Array.fromAsync(store.pets(), ({ id }) => id);
  assert.equal(new Set(ids).size, 4);
  assert.deepEqual(await store.listPets({ status: 'sold', limit: 1 }), [pet]);
  await assert.rejects(store.getPet(4711), { code: 'pet_not_found', status: 404 });
}
