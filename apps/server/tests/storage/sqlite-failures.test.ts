import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { countPets } from '@petstore/test-support/databases/databases';
import { creation, fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type RunningApp, startApp } from '#support/app';
import { lockSqlite, openTemporaryDatabase, rowNamed, runInTransaction } from '#support/database';
import { Writer } from '../../src/database/sqlite/writer.ts';
import { findPet } from '../../src/pets/repository.ts';

const fileOf = ({ url }: RunningApp) => url.slice('sqlite:'.length);

test('on a full disk creations get 503 and reads 200, and creations get 201 once there is room', async () => {
  await using app = await startApp();
  // `max_page_count` belongs to a connection, and the connection that writes runs transactions.
  const run = (text: string) => runInTransaction(app.service.database, text);
  await app.request('/pets', creation('before'));
  const [pages] = await run('pragma page_count');
  await run(`pragma max_page_count = ${pages?.page_count}`);

  let full: Response;
  do full = await app.request('/pets', creation('x'.repeat(10_000)));
  while (full.status === 201);
  expect([full.status, full.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await full.json()).toMatchObject({ code: 'database_unavailable', status: 503 });
  expect((await app.request('/pets')).status).toBe(200);

  await run('pragma max_page_count = 1000000');
  expect((await app.request('/pets', creation('after'))).status).toBe(201);
});

test('a writer whose thread cannot start fails writes and can finish, later writes wait for a slow start, and a start begins with a commit', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const file = opened.url.slice('sqlite:'.length);
  const program = `${file}.ts`; // Without this file, the thread cannot start.
  const writer = new Writer(file, pathToFileURL(program));
  onTestFinished(() => writer.close());
  const write = (to = writer) => to.run({ sql: 'delete from pets where false', parameters: [] });
  await expect(write()).rejects.toMatchObject({ code: 'SQLITE_CANTOPEN' });
  const closing = new Writer(file, pathToFileURL(program));
  await Promise.all([expect(write(closing)).rejects.toThrow('cannot start'), closing.finish()]);
  const thread = new URL('../../src/database/sqlite/writer-thread.ts', import.meta.url);
  // Slower than the five seconds after which the reply to a write is late.
  writeFileSync(program, `setTimeout(() => import('${thread}'), 6_000);`);
  const version = opened.database.dataVersion?.();
  await Promise.all([write(), write()]);
  // The last writes of a killed server are durable only after the next commit.
  expect(opened.database.dataVersion?.()).not.toBe(version);
});

test('while the writer thread is blocked, creations time out, then fail at once, and reads succeed', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const { database, url } = opened;
  const append = (name: string) => database.appendPets([{ row: rowNamed(name) }]);
  await append('first');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const unlock = lockSqlite(url);
  const late = append('late').catch((thrown: unknown) => thrown);
  // The task is sent. Its thread waits for the lock, for five seconds that are real.
  await new Promise(process.nextTick);
  vi.advanceTimersByTime(5_000);
  const error = await late;
  expect(String(error)).toMatch(/petstore\.db could not be written in time: check the disk/);
  expect(database.classify(error)).toBe('unavailable');
  // If this one waited for the thread, it would fail with its reply.
  await expect(append('refused')).rejects.toThrow('in time');
  expect(await findPet(database.db, 1)).toMatchObject({ name: 'first' });
  unlock();
  vi.useRealTimers();
  await expect.poll(() => append('later').catch(() => [])).toMatchObject([{ isAdded: true }]);
});

test('a transaction survives pauses and slow statements of four seconds, and its rollback reaches a stalled thread before the next write', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const file = opened.url.slice('sqlite:'.length);
  const writer = new Writer(file);
  onTestFinished(() => writer.close());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const insert = { sql: `insert into pets (name, category_id) values ('a', 1)`, parameters: [] };
  await writer.run({ sql: 'pragma busy_timeout = 0', parameters: [] });
  const unlock = lockSqlite(opened.url);
  await expect(writer.begin()).rejects.toThrow('locked');
  unlock();
  // `begin` would wait for ever if the transaction that could not begin went on.
  const transaction = await writer.begin();
  // After five seconds a pause would end the transaction, and a reply would be late.
  vi.advanceTimersByTime(4_000);
  const slow = Promise.all([transaction.run(insert), transaction.run(insert)]);
  // The statements are sent, but no reply is read yet.
  await new Promise(process.nextTick);
  vi.advanceTimersByTime(4_000);
  await slow;
  vi.advanceTimersByTime(4_000);
  await transaction.run(insert);
  vi.advanceTimersByTime(4_000);
  const late = expect(transaction.run(insert)).rejects.toThrow('could not be written in time');
  await new Promise(process.nextTick);
  vi.advanceTimersByTime(5_000);
  await late;
  transaction.rollback();
  // Otherwise this insert would be acknowledged in the open transaction, and lost.
  await expect.poll(() => writer.run(insert).catch(() => 'stalled')).not.toBe('stalled');
  expect(countPets(file)).toBe(1);
});

test.each(['removed', 'replaced'])(
  'while the file or its log is %s, requests for pets and the readiness probe get 503, until it is back',
  async (what) => {
    // Neither the key, which the configuration has, nor the cached list needs the database.
    await using app = await startApp({ API_KEYS: FIXED_KEY }, { apiKey: FIXED_KEY });
    await app.request('/pets', creation('before'));
    const file = fileOf(app);
    for (const name of [file, `${file}-wal`]) {
      await app.request('/pets');
      renameSync(name, `${name}.aside`);
      if (what === 'replaced') copyFileSync(`${name}.aside`, name);
      await expect(runInTransaction(app.service.database, 'select 1')).rejects.toThrow('restart the service');
      const status = async () => (await app.request('/pets', creation('lost?'))).status;
      expect(await status()).toBe(503);
      // Reads and probes check the file once a second.
      await expect.poll(async () => (await app.request('/pets')).status).toBe(503);
      expect((await fetch(`${app.origin}/readyz`)).status).toBe(503);
      renameSync(`${name}.aside`, name);
      await expect.poll(status).toBe(201);
      await expect.poll(async () => (await fetch(`${app.origin}/readyz`)).status).toBe(200);
    }
    expect(JSON.stringify(app.logLines())).toContain('restart the service');
  },
);

test('pets that were added to the open file do not get into a file that replaced it', async () => {
  await using app = await startApp();
  const path = fileOf(app);
  const other = `${path}.other`;
  await app.request('/pets', creation('before'));
  await app.run('pragma wal_checkpoint(TRUNCATE)');
  copyFileSync(path, other);
  await app.request('/pets', creation('after'));
  renameSync(path, `${path}.old`);
  copyFileSync(other, path);
  await app.service.database[Symbol.asyncDispose]();

  expect(countPets(path)).toBe(1);
  expect(countPets(`${path}.old`)).toBe(2);
});

test('without its -shm file a server acknowledges nothing, and its end harms no server that has started since', async () => {
  await using app = await startApp();
  rmSync(`${fileOf(app)}-shm`);
  await using later = await startServer({ DATABASE_URL: app.url });
  const add = fetchWithKey(later.baseUrl, FIXED_KEY);
  expect((await add('/pets', creation())).status).toBe(201);
  expect((await app.request('/pets', creation('lost'))).status).toBe(503);
  await app.service.database[Symbol.asyncDispose]();
  expect((await add('/pets', creation())).status).toBe(201);
  expect(countPets(fileOf(app))).toBe(2);
});

test('reads and creations get 503 when the file is damaged', async () => {
  await using app = await startApp();
  const file = fileOf(app);
  await app.request('/pets', creation('x'.repeat(10_000)));
  await app.run('pragma wal_checkpoint(TRUNCATE)');
  const bytes = readFileSync(file);
  // Overwrites the file in place, except for the first page, which has the schema.
  writeFileSync(file, bytes.fill(0xff, 4_096), { flag: 'r+' });
  for (const response of [await app.request('/pets/1'), await app.request('/pets', creation('more'))])
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'database_unavailable' }]);
  expect(JSON.stringify(app.logLines())).toContain('database disk image is malformed');
});
