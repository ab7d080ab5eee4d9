import { setTimeout as sleep } from 'node:timers/promises';
import { encodeCursor, Pets, parseJson } from '@petstore/contract';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { chooseSeed, randomIntegers } from '@petstore/test-support/seed';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { startWriters } from '@petstore/test-support/writers';
import { expect, test } from 'vitest';

const STOPS = 12;
/** Longer than a stalled replica may delay the others. */
const LONG_STOP_MS = 2_500;

test.runIf(engines.includes('postgres'))(
  'a reader that follows next gets every pet of three replicas once and in order, also while a replica stalls',
  async () => {
    const random = randomIntegers(chooseSeed('creation order'));
    await using database = await temporaryDatabase('postgres');
    await using cleanup = new AsyncDisposableStack();
    const replicas = await Promise.all([1, 2, 3].map(() => startServer({ DATABASE_URL: database.url })));
    for (const replica of replicas) cleanup.use(replica);
    const [first, second, third] = replicas;
    if (!first || !second || !third) throw new Error('There are three replicas');
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
  120_000,
);

/** Follows `next` through the whole listing and, at its end, asks again for what comes after the last pet. */
function follow(baseUrl: string) {
  const seen: (number | bigint)[] = [];
  let isEnding = false;

  async function readPage(query: string): Promise<string | undefined> {
    const response = await fetch(`${baseUrl}/pets?${query}`, {
      headers: { authorization: `Bearer ${FIXED_KEY}` },
    });
    if (response.status === 503) return query;
    expect(response.status).toBe(200);
    seen.push(...Pets.parse(parseJson(await response.text())).map(({ id }) => id));
    const [, next] = /\?([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
    return next;
  }

  const atEnd = () =>
    `limit=100${seen.length > 0 ? `&cursor=${encodeCursor({ after: seen.at(-1) ?? 0 })}` : ''}`;

  const reading = (async () => {
    for (let query: string | undefined = 'limit=100', isLast = false; ; ) {
      query = await readPage(query ?? atEnd());
      if (query !== undefined) continue;
      if (isLast) return;
      isLast = isEnding;
      await sleep(2);
    }
  })();
  // A failure is reported at the end, not as an unhandled rejection.
  reading.catch(() => {});

  return {
    async end() {
      isEnding = true;
      await reading;
      return seen;
    },
  };
}
