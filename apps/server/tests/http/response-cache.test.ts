import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { engines } from '@petstore/test-support/databases/engines';
import { chooseSeed, randomIntegers } from '@petstore/test-support/seed';
import { sendRaw } from '@petstore/test-support/sockets/raw-http';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '#support/app';

const PAGES = ['/pets', '/pets?limit=3', '/pets?status=sold', '/pets?limit=2&status=available'];

const linesOf = (app: RunningApp, template: string) =>
  app.logLines().filter(({ route }) => route === template);

const read = async (app: RunningApp, path: string) => (await app.request(path)).text();

const add = (app: RunningApp, status: string) =>
  app.request('/pets', { method: 'POST', body: JSON.stringify({ name: 'a', categoryId: 1, status }) });

describe.each(engines)('over %s, two services on one database', (engine) => {
  test('never give a response from before a pet was acknowledged', async () => {
    const random = randomIntegers(chooseSeed('response cache'));
    await using temporary = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: temporary.url };
    await using one = await startApp(environment);
    await using other = await startApp(
      { ...environment, API_KEYS: 'a-key-of-the-other-service' },
      engine,
      'a-key-of-the-other-service',
    );
    const services = [one, other];
    let pets = 0;
    for (let step = 0; step < 300; step += 1) {
      const service = services[random(0, 1)] ?? one;
      if (random(1, 3) === 1) {
        await add(service, random(1, 2) === 1 ? 'sold' : 'available');
        pets += 1;
      }
      const path = PAGES[random(0, PAGES.length - 1)] ?? '/pets';
      const [first, second] = await Promise.all(services.map((app) => read(app, path)));
      expect(first).toBe(second);
      const all: unknown[] = JSON.parse(await read(service, '/pets?limit=100'));
      expect(all).toHaveLength(Math.min(pets, 100));
    }
  });
});

describe.each(engines)('over %s, what an operator changes by SQL', (engine) => {
  test('is seen at the next read of every server: lists, single pets and entity tags', async () => {
    await using temporary = await temporaryDatabase(engine);
    const key = 'a-key-of-both-services';
    const environment = { DATABASE_URL: temporary.url, API_KEYS: key };
    await using one = await startApp(environment, engine, key);
    await using other = await startApp(environment, engine, key);
    const services = [one, other];
    for (let pet = 0; pet < 3; pet += 1) await add(one, 'available');
    const readAll = () =>
      Promise.all(
        services.map(async (app) => {
          const single = await app.request('/pets/2');
          return {
            list: JSON.parse(await read(app, '/pets')),
            status: single.status,
            etag: single.headers.get('etag'),
            pet: await single.json(),
          };
        }),
      );
    const repeat = async () => {
      await readAll();
      await readAll();
      return readAll();
    };
    const [before] = await repeat();

    await temporary.run(`update pets set status = 'sold' where id = 2`);
    for (const seen of await readAll()) {
      expect(seen.pet).toMatchObject({ id: 2, status: 'sold' });
      expect(seen.etag).not.toBe(before?.etag);
      expect(seen.list).toMatchObject([{ id: 1 }, { id: 2, status: 'sold' }, { id: 3 }]);
    }
    await repeat();
    await temporary.run('delete from pets where id = 2');
    for (const seen of await readAll()) {
      expect(seen.status).toBe(404);
      expect(seen.list).toMatchObject([{ id: 1 }, { id: 3 }]);
    }
    await repeat();
    await temporary.run(`insert into pets (id, name, category_id) values (2, 'again', 1)`);
    for (const seen of await readAll()) {
      expect(seen.pet).toMatchObject({ id: 2, name: 'again' });
      expect(seen.list).toMatchObject([{ id: 1 }, { id: 2, name: 'again' }, { id: 3 }]);
    }
    await repeat();
    await temporary.run(`insert into pets (id, name, category_id) values (9, 'loaded', 1)`);
    for (const seen of await readAll()) expect(seen.list).toHaveLength(4);
    expect(await (await add(other, 'sold')).json()).toMatchObject({ id: 10 });
  });

  test('moves nothing where it does not change pets', async () => {
    await using temporary = await temporaryDatabase(engine);
    await using app = await startApp({ DATABASE_URL: temporary.url }, engine);
    await add(app, 'sold');
    for (let time = 0; time < 2; time += 1) await read(app, '/pets');
    const { hits } = app.service.responseCache;
    for (let time = 0; time < 5; time += 1) {
      await temporary.run(`update api_keys set last_used_at = ${time}`);
      await read(app, '/pets');
    }
    expect(app.service.responseCache.hits).toBe(hits + 5);
  });
});

test('the next request sees a commit of another program', async () => {
  await using temporary = await temporaryDatabase('sqlite');
  await using app = await startApp({ DATABASE_URL: temporary.url });
  for (let time = 0; time < 3; time += 1) expect(await read(app, '/pets')).toBe('[]');
  const program = new BetterSqlite3(temporary.url.slice('sqlite:'.length));
  program.exec("insert into pets (name, category_id) values ('from elsewhere', 1)");
  program.close();
  expect(await read(app, '/pets')).toContain('from elsewhere');
});

test('a pet that did not exist is found once it does', async () => {
  await using app = await startApp();
  expect((await app.request('/pets/1')).status).toBe(404);
  await add(app, 'sold');
  expect((await app.request('/pets/1')).status).toBe(200);
});

test('a cached response is not read again, and is the same on the wire and in the log', async () => {
  await using app = await startApp();
  await add(app, 'sold');
  const { hostname, port } = new URL(app.origin);
  const ask = async () => {
    const request = `GET /v1/pets/1 HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${app.apiKey}\r\nConnection: close\r\n\r\n`;
    const [response] = await sendRaw(app.origin, request);
    response?.headers.delete('x-request-id');
    response?.headers.delete('date');
    return response;
  };
  const first = await ask();
  expect(await ask()).toEqual(first);
  const { hits } = app.service.responseCache;
  expect(await ask()).toEqual(first);
  expect(app.service.responseCache.hits).toBe(hits + 1);
  await expect.poll(() => linesOf(app, '/v1/pets/:petId')).toHaveLength(3);
  const lines = linesOf(app, '/v1/pets/:petId').map(({ requestId: _, ...line }) => ({
    ...line,
    time: 0,
    durationMs: 0,
  }));
  expect(lines[2]).toEqual(lines[0]);
});

test('a cached response is given to no caller without a key, and its CORS headers are those of the request', async () => {
  await using app = await startApp({ CORS_ORIGINS: 'https://shop.example' });
  await add(app, 'sold');
  const ask = (headers: Record<string, string>) => app.request('/pets/1', { headers });
  await ask({});
  const { headers } = await ask({});
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect((await ask({ authorization: 'Bearer nonsense' })).status).toBe(401);
  expect((await ask({ authorization: '' })).status).toBe(401);
  const crossOrigin = await ask({ origin: 'https://shop.example' });
  expect(crossOrigin.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  expect((await ask({})).headers.get('access-control-allow-origin')).toBeNull();
  const conditional = await ask({ 'if-none-match': `"other", ${headers.get('etag')}` });
  expect(conditional.status).toBe(304);
  expect(conditional.headers.get('etag')).toBe(headers.get('etag'));
  expect(conditional.headers.has('content-type')).toBe(false);
  expect((await ask({ 'if-match': '"other"' })).status).toBe(412);
  expect((await ask({ 'if-match': `${headers.get('etag')}` })).status).toBe(200);
});
