import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { countPets } from '@petstore/test-support/databases/databases';
import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test, vi } from 'vitest';
import { startApp } from '#support/app';
import { lockSqlite, openTemporaryDatabase, rowNamed, runInTransaction } from '#support/database';
import { Writer } from '../../src/database/sqlite/writer.ts';
import { findPet } from '../../src/pets/repository.ts';

const fileOf = ({ url }: { url: string }) => url.slice('sqlite:'.length);
const INSERT = { sql: `insert into pets (name, category_id) values ('a', 1)`, parameters: [] };

test('on a full disk creations get 503 and reads 200, and creations get 201 once there is room', async () => {
  await using app = await startApp();
  // `max_page_count` belongs to a connection, and the connection that writes runs transactions.
  const run = (text: string) => runInTransaction(app.service.database, text);
  await app.request('/pets', creation('before'));
  await run('pragma max_page_count = 1'); // SQLite sets it to the pages that the file has.

  let full: Response;
  do full = await app.request('/pets', creation('x'.repeat(10_000)));
  while (full.status === 201);
  expect([full.status, full.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await full.json()).toMatchObject({ code: 'database_unavailable', status: 503 });
  expect((await app.request('/pets')).status).toBe(200);

  await run('pragma max_page_count = 1000000');
  expect((await app.request('/pets', creation('after'))).status).toBe(201);
});

test('while the thread cannot start, a write fails and the writer can finish; later writes wait for a slow start', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const program = pathToFileURL(`${fileOf(opened)}.ts`); // Does not exist yet.
  const finishing = new Writer(fileOf(opened), program);
  await Promise.all([expect(finishing.run(INSERT)).rejects.toThrow('cannot start'), finishing.finish()]);
  await using writer = new Writer(fileOf(opened), program);
  await expect(writer.run(INSERT)).rejects.toMatchObject({ code: 'SQLITE_CANTOPEN' });
  const thread = new URL('../../src/database/sqlite/writer-thread.ts', import.meta.url);
  // Slower than the five seconds after which the reply to a write is late.
  writeFileSync(program, `setTimeout(() => import('${thread}'), 6_000);`);
  await Promise.all([writer.run(INSERT), writer.run(INSERT)]);
});

test('the thread begins with a commit, which makes the last writes of a killed server durable', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const version = opened.database.dataVersion?.();
  await using writer = new Writer(fileOf(opened));
  await writer.begin();
  expect(opened.database.dataVersion?.()).not.toBe(version);
});

test('while the writer thread is blocked, creations time out, then fail at once, and reads succeed', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const { database, url } = opened;
  const append = (name: string) => database.appendPets([{ row: rowNamed(name) }]);
  await append('first');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const unlock = lockSqlite(url);
  const late = append('late').catch((thrown: unknown) => thrown);
  // The task is sent. Its thread waits for the lock, for five seconds that are real.
  await new Promise(process.nextTick);
  vi.advanceTimersByTime(5_000);
  const error = await late;
  expect(String(error)).toMatch(/petstore\.db could not be written in time: check the disk/);
  expect(database.classify(error)).toBe('unavailable');
  // An append that waited for the thread would fail with the thread's error: the database is locked.
  await expect(append('refused')).rejects.toThrow('in time');
  expect(await findPet(database.db, 1)).toMatchObject({ name: 'first' });
  unlock();
  vi.useRealTimers();
  await expect.poll(() => append('later').catch(() => [])).toMatchObject([{ isAdded: true }]);
});

test('a transaction that cannot begin lets the next one begin at once', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  await using writer = new Writer(fileOf(opened));
  await writer.run({ sql: 'pragma busy_timeout = 0', parameters: [] });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // So that no idle timeout ends the first one.
  const unlock = lockSqlite(opened.url);
  await expect(writer.begin()).rejects.toThrow('locked');
  unlock();
  await expect(writer.begin()).resolves.toBeDefined();
});

test('a transaction survives pauses and slow statements of four seconds, and its rollback reaches a stalled thread before the next write', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  await using writer = new Writer(fileOf(opened));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const transaction = await writer.begin();
  // After five seconds a pause would end the transaction, and a reply would be late.
  vi.advanceTimersByTime(4_000);
  // Two: the second reply must restart the time limit of a pause, which the first one has started.
  const slow = Promise.all([transaction.run(INSERT), transaction.run(INSERT)]);
  // The statements are sent, but no reply is read yet.
  await new Promise(process.nextTick);
  vi.advanceTimersByTime(4_000);
  await slow;
  vi.advanceTimersByTime(4_000);
  await transaction.run(INSERT);
  vi.advanceTimersByTime(4_000);
  const late = expect(transaction.run(INSERT)).rejects.toThrow('could not be written in time');
  await new Promise(process.nextTick);
  vi.advanceTimersByTime(5_000);
  await late;
  transaction.rollback();
  // Otherwise this insert would be acknowledged in the open transaction, and lost.
  await expect.poll(() => writer.run(INSERT).catch(() => 'stalled')).not.toBe('stalled');
  expect(countPets(fileOf(opened))).toBe(1);
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
      const adding = app.service.database.appendPets([{ row: rowNamed('lost?') }]);
      renameSync(name, `${name}.aside`);
      if (what === 'replaced') copyFileSync(`${name}.aside`, name);
      await expect(adding).rejects.toThrow('restart the service');
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
  await app.request('/pets', creation('before'));
  await app.run('pragma wal_checkpoint(TRUNCATE)');
  copyFileSync(path, `${path}.other`);
  await app.request('/pets', creation('after'));
  renameSync(path, `${path}.old`);
  renameSync(`${path}.other`, path);
  await app.service.database[Symbol.asyncDispose]();

  expect(countPets(path)).toBe(1);
  expect(countPets(`${path}.old`)).toBe(2);
});

test('without its -shm file a server acknowledges nothing, and its end harms no server that has started since', async () => {
  await using app = await startApp();
  rmSync(`${fileOf(app)}-shm`);
  await using later = await startServer({ DATABASE_URL: app.url });
  expect((await later.request('/pets', creation())).status).toBe(201);
  expect((await app.request('/pets', creation('lost'))).status).toBe(503);
  await app.service.database[Symbol.asyncDispose]();
  expect((await later.request('/pets', creation())).status).toBe(201);
  expect(countPets(fileOf(app))).toBe(2);
});

test('reads and creations get 503 when the file is damaged', async () => {
  await using app = await startApp();
  const file = fileOf(app);
  await app.request('/pets', creation());
  await app.run('pragma wal_checkpoint(TRUNCATE)');
  // Overwrites the file in place, except for the first page, which has the schema.
  writeFileSync(file, readFileSync(file).fill(0xff, 4_096), { flag: 'r+' });
  for (const response of [await app.request('/pets/1'), await app.request('/pets', creation('more'))])
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'database_unavailable' }]);
  expect(JSON.stringify(app.logLines())).toContain('database disk image is malformed');
});
