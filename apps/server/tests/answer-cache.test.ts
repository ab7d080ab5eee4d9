import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { AnswerCache } from '../src/http/answer-cache.ts';
import { type RunningApp, startApp } from './support/app.ts';
import { temporaryDatabase } from './support/databases.ts';
import { engines } from './support/engines.ts';
import { chooseSeed, randomIntegers } from './support/seed.ts';

const PAGES = ['/pets', '/pets?limit=3', '/pets?status=sold', '/pets?limit=2&status=available'];

const read = async (app: RunningApp, path: string) => (await app.request(path)).text();

const add = (app: RunningApp, status: string) =>
  app.request('/pets', { method: 'POST', body: JSON.stringify({ name: 'a', categoryId: 1, status }) });

describe.each(engines)('over %s, two services on one database', (engine) => {
  test('never give an answer that was true before an animal was acknowledged', async () => {
    const random = randomIntegers(chooseSeed('answer cache'));
    await using temporary = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: temporary.url };
    await using one = await startApp(environment);
    await using other = await startApp({ ...environment, API_KEYS: 'other-key' }, engine, 'other-key');
    const services = [one, other];
    let animals = 0;
    for (let step = 0; step < 300; step += 1) {
      const service = services[random(0, 1)] ?? one;
      if (random(1, 3) === 1) {
        await add(service, random(1, 2) === 1 ? 'sold' : 'available');
        animals += 1;
      }
      const path = PAGES[random(0, PAGES.length - 1)] ?? '/pets';
      const [first, second] = await Promise.all(services.map((app) => read(app, path)));
      expect(first).toBe(second);
      const all: unknown[] = JSON.parse(await read(service, '/pets?limit=100'));
      expect(all).toHaveLength(Math.min(animals, 100));
    }
  });
});

test('a commit of another program is seen by the next request', async () => {
  await using temporary = await temporaryDatabase('sqlite');
  await using app = await startApp({ DATABASE_URL: temporary.url });
  expect(await read(app, '/pets')).toBe('[]');
  expect(await read(app, '/pets')).toBe('[]');
  const program = new BetterSqlite3(temporary.url.slice('sqlite:'.length));
  program.exec("insert into pets (name, category_id) values ('from elsewhere', 1)");
  program.close();
  expect(await read(app, '/pets')).toContain('from elsewhere');
});

test('an animal that was not there is found once it is', async () => {
  await using app = await startApp();
  expect((await app.request('/pets/1')).status).toBe(404);
  await add(app, 'sold');
  expect((await app.request('/pets/1')).status).toBe(200);
});

test('an answer that is kept is not read again, and leaves the same headers and log', async () => {
  await using app = await startApp();
  await add(app, 'sold');
  const first = await app.request('/pets/1');
  await app.context.database.transact((db) => sql`update pets set name = 'changed by hand'`.execute(db));
  const second = await app.request('/pets/1');
  expect(await second.text()).toBe(await first.text());
  const without = (headers: Headers) =>
    [...headers].filter(([name]) => !/^(?:x-request-id|date)$/.test(name));
  expect(without(second.headers)).toEqual(without(first.headers));
  await expect.poll(() => app.logLines().filter(({ route }) => route === '/v1/pets/:petId')).toHaveLength(2);
});

test('answers are kept up to a bound, and the oldest go first', () => {
  const cache = new AnswerCache();
  const body = 'x'.repeat(100_000);
  for (let index = 0; index < 1_000; index += 1) {
    const answer = { body, length: body.length, etag: '""', link: undefined };
    cache.keep(`/${index}`, { answer, validity: 'always', route: undefined });
  }
  const kept = Array.from({ length: 1_000 }, (_, index) => cache.find(`/${index}`) !== undefined);
  expect(kept.indexOf(true)).toBeGreaterThan(800);
  expect(kept.slice(kept.indexOf(true)).every(Boolean)).toBe(true);
  expect(kept.at(-1)).toBe(true);
});
