import { copyFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPetStore } from '@petstore/client';
import { Pet } from '@petstore/contract';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { temporaryDatabase } from './support/databases.ts';
import { engines } from './support/engines.ts';
import { temporaryFolder } from './support/files.ts';
import { FIXED_KEY, startServer } from './support/process.ts';
import { startProxy } from './support/proxy.ts';
import { chooseSeed, randomIntegers } from './support/seed.ts';
import { startWriters } from './support/writers.ts';

const WRITERS = 16;
/** More of them, and another SEED, make a longer trial. */
const KILLS = Number(process.env.KILLS ?? 10);

/** Reads the whole listing: the ids under each name. */
async function readStock(baseUrl: string): Promise<Map<string, unknown[]>> {
  const store = createPetStore({ baseUrl, apiKey: FIXED_KEY });
  const stock = new Map<string, unknown[]>();
  for await (const { name, id } of store.pets({ pageSize: 100 })) {
    stock.set(name, [...(stock.get(name) ?? []), id]);
  }
  return stock;
}

// Half of the kills come at a random moment. For the other half the proxy keeps the answers back: the
// server gives an answer only after its commit, so that when the first ones are kept the animals are
// durable and no caller knows of them. That is a kill between commit and answer, as callers see it,
// with nothing in the service that knows of the test.
test.each(engines)(
  'over %s, through its kills every acknowledged animal is there exactly once, and none is there twice',
  async (engine) => {
    const random = randomIntegers(chooseSeed('crash'));
    await using database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url };
    await using proxy = await startProxy();
    let server = await startServer(environment);
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => server[Symbol.asyncDispose]());
    proxy.aim(server.origin);
    const writers = startWriters(proxy.origin, { count: WRITERS, random });

    const kept: Pet[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(random(50, 400));
      if (kill % 2 === 0) {
        const answers = await proxy.hold(random(1, WRITERS / 2));
        kept.push(...answers.map((answer) => Pet.parse(JSON.parse(answer.slice(answer.indexOf('{'))))));
      }
      await server.stop('SIGKILL');
      proxy.release();
      server = await startServer(environment);
      proxy.aim(server.origin);
    }
    await sleep(200);
    await writers.end();

    const stock = await readStock(server.baseUrl);
    await server.stop();
    const { wishes } = writers;
    const acknowledged = wishes.filter(({ ids }) => ids.length > 0);
    for (const { name, ids } of acknowledged) {
      expect(new Set(ids).size, `one id under the key ${name}`).toBe(1);
      expect(stock.get(name), `acknowledged: ${name}`).toEqual(ids.slice(0, 1));
    }
    for (const { name } of wishes) expect(stock.get(name)?.length ?? 0, name).toBeLessThanOrEqual(1);
    for (const { name, id } of kept) expect(stock.get(name), `committed, unanswered: ${name}`).toEqual([id]);
    const names = new Set(wishes.map(({ name }) => name));
    expect([...stock.keys()].filter((name) => !names.has(name))).toEqual([]);

    // The test itself: there were many animals, and answers that only the key's memory could give.
    expect(acknowledged.length).toBeGreaterThan(200);
    expect(kept.length).toBeGreaterThanOrEqual(KILLS / 2);
    expect(writers.replays()).toBeGreaterThan(0);

    if (engine === 'sqlite') {
      const file = new BetterSqlite3(database.url.slice('sqlite:'.length), { readonly: true });
      expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
      file.close();
    }
  },
  60_000,
);

test('a copy of the files, taken after an acknowledged creation and a kill, has the animal', async () => {
  await using folder = await temporaryFolder();
  const server = await startServer({ DATABASE_URL: `sqlite:${folder.file('petstore.db')}` });
  const store = createPetStore({ baseUrl: server.baseUrl, apiKey: FIXED_KEY });
  const pet = await store.createPet({ name: 'Ñandú', categoryId: 2n ** 63n - 1n });
  await server.stop('SIGKILL');
  for (const suffix of ['', '-wal']) {
    copyFileSync(folder.file(`petstore.db${suffix}`), folder.file(`copy.db${suffix}`));
  }
  await using copy = await startServer({ DATABASE_URL: `sqlite:${folder.file('copy.db')}` });
  const stock = await readStock(copy.baseUrl);
  expect([...stock]).toEqual([[pet.name, [pet.id]]]);
});
