import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from './support/app.ts';

const pet = (name: string) => ({ method: 'POST', body: JSON.stringify({ name, categoryId: 1 }) });

test('on a full disk creating is 503, reading goes on, and creating works again when there is room', async () => {
  await using app = await startApp();
  const { kysely } = app.context.database;
  await app.request('/pets', pet('before'));
  const { rows } = await sql<{ page_count: bigint }>`pragma page_count`.execute(kysely);
  await sql.raw(`pragma max_page_count = ${rows[0]?.page_count}`).execute(kysely);

  const full = await fillUp();
  expect(full.status).toBe(503);
  expect(full.headers.get('retry-after')).toBe('1');
  expect(await full.json()).toMatchObject({ code: 'database_unavailable', status: 503 });
  expect((await app.request('/pets')).status).toBe(200);

  await sql`pragma max_page_count = 1000000`.execute(kysely);
  expect((await app.request('/pets', pet('after'))).status).toBe(201);

  async function fillUp() {
    for (;;) {
      const answer = await app.request('/pets', pet('x'.repeat(10_000)));
      if (answer.status !== 201) return answer;
    }
  }
});

test('while another process holds the lock reading goes on, and creating waits and then works', async () => {
  await using app = await startApp();
  await app.request('/pets', pet('before'));
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(
    app.context.database.kysely,
  );
  const other = new BetterSqlite3(rows[0]?.file);
  other.exec('begin immediate');
  const waiting = app.request('/pets', pet('patient'));
  const start = performance.now();
  expect((await app.request('/pets')).status).toBe(200);
  expect(performance.now() - start).toBeLessThan(1_000);
  other.exec('commit');
  other.close();
  expect((await waiting).status).toBe(201);
});

test('a lock that is not let go of becomes 503', async () => {
  await using app = await startApp();
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(
    app.context.database.kysely,
  );
  const other = new BetterSqlite3(rows[0]?.file);
  other.exec('begin immediate');
  expect((await app.request('/pets', pet('unlucky'))).status).toBe(503);
  other.close();
  expect((await app.request('/pets', pet('lucky'))).status).toBe(201);
});

test('a bug inside is 500 with an Error body that says nothing of it, and the log does', async () => {
  await using app = await startApp();
  await sql`alter table pets rename to vanished`.execute(app.context.database.kysely);
  const answer = await app.request('/pets/1');
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', status: 500 });
  expect(text).not.toMatch(/table|pets|sqlite/i);
  expect(JSON.stringify(app.logLines())).toContain('no such table');
});
