import { writeFileSync } from 'node:fs';
import { engines, runPostgres } from '@petstore/test-support/databases/databases';
import { startPostgres } from '@petstore/test-support/databases/postgres-server';
import { temporaryFolder } from '@petstore/test-support/files';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, test } from 'vitest';

/** Expects a server to listen and to wait for its database. */
async function expectWaiting({ origin, baseUrl }: ServerProcess) {
  expect((await fetch(`${origin}/livez`)).status).toBe(200);
  expect((await fetch(`${origin}/readyz`)).status).toBe(503);
  const response = await fetchWithKey(baseUrl, FIXED_KEY)('/pets');
  expect(await response.json()).toMatchObject({ code: 'database_unavailable', status: 503 });
}

/** Expects the server that has waited to become ready, without a restart. */
async function expectServing({ origin, baseUrl }: ServerProcess) {
  await expect.poll(async () => (await fetch(`${origin}/readyz`)).status).toBe(200);
  expect((await fetchWithKey(baseUrl, FIXED_KEY)('/pets')).status).toBe(200);
}

describe.runIf(engines.includes('postgres'))('a start', () => {
  test('waits for PostgreSQL, migrates, issues the first key, and serves', async () => {
    await using postgres = await startPostgres();
    await postgres.kill();
    const environment = { DATABASE_URL: postgres.url, API_KEYS: '', ADMIN_PORT: `${await findFreePort()}` };
    await using server = await startServer(environment);
    expect((await fetch(`${server.origin}/livez`)).status).toBe(200);
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);
    const metrics = await fetch(`http://127.0.0.1:${environment.ADMIN_PORT}/metrics`);
    expect(await metrics.text()).toMatch(/^petstore_ready 0$/m);
    await expect.poll(() => server.output()).toContain('"msg":"Waiting for the database"');
    expect(server.output()).toMatch(/"message":"cannot use the database at [^"]*ECONNREFUSED/);
    await postgres.start();
    await expect.poll(() => server.output()).toContain('pst_');
    const [key = ''] = /pst_\w+/.exec(server.output()) ?? [];
    expect((await fetchWithKey(server.baseUrl, key)('/pets')).status).toBe(200);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  test('waits for the password in DATABASE_URL_FILE and for its database; connections use each new password', async () => {
    await using postgres = await startPostgres();
    await using folder = await temporaryFolder();
    const file = folder.file('database-url');
    const write = (password: string) =>
      writeFileSync(file, `${Object.assign(new URL(postgres.url), { password, pathname: '/later' })}\n`);
    write('wrong');
    await using server = await startServer({ DATABASE_URL_FILE: file });
    await expectWaiting(server);
    write('postgres');
    await expect.poll(() => server.output()).toContain('database \\"later\\" does not exist');
    await postgres.query('create database later');
    await expectServing(server);

    await postgres.query(`create role admin superuser login password 'admin'`);
    const admin = postgres.url.replace('postgres:postgres@', 'admin:admin@');
    await postgres.query(`alter role postgres password 'rotated'`);
    await runPostgres(
      admin,
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()',
    );
    const list = () => fetchWithKey(server.baseUrl, FIXED_KEY)('/pets');
    const refused = await list();
    expect(await refused.json()).toMatchObject({ code: 'database_unavailable' });
    write('rotated');
    await expectServing(server);
  });

  test('exits with code 0 at a signal while it waits', async () => {
    const port = await findFreePort();
    await using server = await startServer({ DATABASE_URL: `postgres://me:secret@127.0.0.1:${port}/none` });
    await expectWaiting(server);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(server.output(), 'the reason of each 503').toMatch(/"requestId"[^\n]*ECONNREFUSED/);
    expect(server.output()).not.toContain('secret');
    // The upkeep starts with the database.
    expect(server.output()).not.toContain('Expired idempotency records');
  });
});
