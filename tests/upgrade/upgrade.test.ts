import { execFileSync } from 'node:child_process';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { engines } from '@petstore/test-support/databases/engines';
import { CLI } from '@petstore/test-support/servers/server-process';
import { describe, expect, inject, test } from 'vitest';
import { Fleet } from './fleet.ts';
import { startLoad } from './load.ts';

const REQUESTS_OF_A_PHASE = 400;

describe.each(engines)('over %s', (engine) => {
  test('no request fails while servers of this release replace those of the last one, and while they are replaced by it', async () => {
    await using database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url };
    const [released, present] = [inject('releasedCli'), CLI];
    const create = [released, 'keys', 'create', '--name', 'load'];
    const apiKey = execFileSync(process.execPath, create, { env: environment, encoding: 'utf8' }).trim();
    await using fleet = new Fleet(environment);
    for (let server = 0; server < 2; server += 1) await fleet.add(released);
    const load = startLoad(fleet, { apiKey, clients: 6 });
    await load.wait(REQUESTS_OF_A_PHASE);

    for (const cli of [present, released, present]) {
      for (let server = 0; server < 2; server += 1) {
        await fleet.add(cli);
        await load.wait(REQUESTS_OF_A_PHASE);
        await fleet.removeOldest();
        await load.wait(REQUESTS_OF_A_PHASE);
      }
    }
    const { failures, petsByName } = await load.end();

    expect(failures.slice(0, 10)).toEqual([]);
    expect(await readPetsByName(fleet, apiKey)).toEqual(petsByName);
  });
});

/** Reads all pages: the ids of the pets of each name. */
async function readPetsByName(fleet: Fleet, apiKey: string): Promise<Map<string, unknown[]>> {
  const petsByName = new Map<string, unknown[]>();
  let target: string | undefined = '/v1/pets?limit=100';
  while (target !== undefined) {
    const { status, headers, text } = await fleet.send(target, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(status).toBe(200);
    for (const { name, id } of JSON.parse(text)) petsByName.set(name, [...(petsByName.get(name) ?? []), id]);
    target = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  return petsByName;
}
