import { setTimeout as sleep } from 'node:timers/promises';
import { createPetStore } from '@petstore/client';
import { encodeCursor, type Pet } from '@petstore/contract';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { chooseSeed, randomIntegers } from '@petstore/test-support/seed';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { startWriters } from '@petstore/test-support/writers';
import { expect, test } from 'vitest';

const STOPS = 12;
/** This stop is longer than a stalled server may delay the other servers. */
const LONG_STOP_MS = 2_500;

test.runIf(engines.includes('postgres'))(
  'a reader of pages gets every pet of three servers once and in order, also while a server stalls',
  async () => {
    const random = randomIntegers(chooseSeed('creation order'));
    await using database = await temporaryDatabase('postgres');
    await using cleanup = new AsyncDisposableStack();
    const replicas = await Promise.all([1, 2, 3].map(() => startServer({ DATABASE_URL: database.url })));
    for (const replica of replicas) cleanup.use(replica);
    const [first, second, third] = replicas;
    if (!first || !second || !third) throw new Error('Three replicas must be running');
    const writers = replicas.map(({ origin }, number) =>
      startWriters(origin, { count: 8, random, name: `replica-${number}` }),
    );
    const reader = follow(first.baseUrl);

    for (let stop = 0; stop < STOPS; stop += 1) {
      await sleep(random(20, 200));
      const stalled = random(0, 1) === 0 ? second : third;
      stalled.child.kill('SIGSTOP');
      await sleep(stop === STOPS / 2 ? LONG_STOP_MS : random(20, 300));
      stalled.child.kill('SIGCONT');
    }
    const acknowledgedIds = () => writers.flatMap(({ creations }) => creations.flatMap(({ ids }) => ids));
    await expect.poll(() => acknowledgedIds().length).toBeGreaterThan(200);
    await Promise.all(writers.map((writer) => writer.end()));

    const seen = await reader.end();
    const known = new Set<unknown>(seen);
    expect(acknowledgedIds().filter((id) => !known.has(id))).toEqual([]);
    expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => Number(one) - Number(other)));
  },
);

/** Reads all pages, and then again and again the pets after the last one. */
function follow(baseUrl: string) {
  const store = createPetStore({ baseUrl, apiKey: FIXED_KEY });
  const seen: Pet['id'][] = [];
  let isEnding = false;

  const reading = (async () => {
    for (let isLast = false; ; await sleep(2)) {
      const after = seen.at(-1);
      const cursor = after === undefined ? undefined : encodeCursor({ after });
      for await (const { id } of store.pets({ pageSize: 100, cursor })) seen.push(id);
      if (isLast) return;
      isLast = isEnding;
    }
  })();
  // `end` reports a failure, so it is not an unhandled rejection.
  reading.catch(() => {});

  return {
    async end() {
      isEnding = true;
      await reading;
      return seen;
    },
  };
}
