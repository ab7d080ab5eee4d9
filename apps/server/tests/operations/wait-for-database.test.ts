import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { engines } from '@petstore/test-support/databases/databases';
import { connectPostgres, runPostgres } from '@petstore/test-support/databases/postgres-client';
import { startPostgres } from '@petstore/test-support/databases/postgres-server';
import { temporaryFolder } from '@petstore/test-support/files';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { listen } from '@petstore/test-support/servers/listen';
import { longTimeouts, startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, test } from 'vitest';
import { addPets, openTemporaryDatabase } from '#support/database';
import { generateApiKey } from '../../src/keys/api-key.ts';

describe.runIf(engines.includes('postgres'))('a start', () => {
  test('waits until its database can be used, logs each reason once, and reads a changed password', async () => {
    await using postgres = await startPostgres();
    await postgres.kill();
    await using folder = await temporaryFolder();
    const file = folder.file('database-url');
    const write = (password: string) =>
      writeFileSync(file, `${Object.assign(new URL(postgres.url), { password, pathname: '/later' })}\n`);
    write('wrong');
    const environment = { DATABASE_URL_FILE: file, API_KEYS: '', ADMIN_PORT: `${await findFreePort()}` };
    // Without `longTimeouts`, a busy machine could cause a timeout, and the reason before it would be logged again.
    await using server = await startServer({ ...longTimeouts, ...environment });
    const statusOf = async (path: string) => (await fetch(server.origin + path)).status;
    expect([await statusOf('/livez'), await statusOf('/readyz')]).toEqual([200, 503]);
    const response = await fetchWithKey(server.baseUrl, generateApiKey())('/pets');
    expect(await response.json()).toMatchObject({ code: 'database_unavailable', status: 503 });
    const metrics = await fetch(`http://127.0.0.1:${environment.ADMIN_PORT}/metrics`);
    expect(await metrics.text()).toMatch(/^petstore_ready 0$/m);
    await expect.poll(() => server.output()).toContain('"msg":"Waiting for the database"');
    expect(server.output()).toMatch(/"message":"cannot use the database at [^"]*ECONNREFUSED/);
    await expect.poll(() => server.output()).toMatch(/"requestId"[^\n]*ECONNREFUSED/);

    await postgres.start();
    await expect.poll(() => server.output()).toContain('password authentication failed');
    writeFileSync(file, 'postgres://a:b#c@d/e');
    await expect.poll(() => server.output()).toContain('DATABASE_URL_FILE: the text in');
    writeFileSync(file, 'sqlite:petstore.db');
    await expect.poll(() => server.output()).toContain('DATABASE_URL_FILE: must stay a PostgreSQL URL');
    write('postgres');
    await expect.poll(() => server.output()).toContain('database \\"later\\" does not exist');
    const lines = server.output().match(/.*"Waiting for the database".*/g) ?? [];
    const reasons = lines.map((line) => JSON.parse(line).err.message);
    expect(reasons).toEqual([...new Set(reasons)]);
    expect(reasons.at(-1)).toMatch(/^cannot use the database at [^ ]*: database "later" does not exist$/);
    await postgres.query('create database later');
    await expect.poll(() => server.output()).toContain('pst_');
    const [key = ''] = /pst_\w+/.exec(server.output()) ?? [];
    expect(await statusOf('/readyz')).toBe(200);
    expect((await fetchWithKey(server.baseUrl, key)('/pets')).status).toBe(200);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  test('that cannot ask yet whether there is an API key waits, logs the reason, and deletes nothing if it stops', async () => {
    await using opened = await openTemporaryDatabase('postgres');
    await addPets(opened.database, [{ name: 'a', categoryId: 1 }]);
    await opened.run('insert into idempotency_records values (1, 1, gen_random_uuid(), 0)'); // Expired.
    await using other = await connectPostgres(opened.url);
    await other.query('begin; lock table api_keys');
    const settings = { NODE_ENV: 'production', API_KEYS: '', DATABASE_STATEMENT_TIMEOUT_MS: '100' };
    const environment = { ...settings, DATABASE_URL: opened.url };
    await using stopping = await startServer(environment);
    await expect.poll(stopping.output).toContain('"msg":"Waiting for the database"');
    expect(await stopping.stop()).toEqual({ code: 0, signal: null });
    expect(await opened.run('select from idempotency_records')).toHaveLength(1);

    await using server = await startServer(environment);
    const attempts = new Set<string>();
    const countAttempts = async () => {
      const waiting = `select query_start::text from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      for (const row of await runPostgres(opened.url, waiting)) attempts.add(String(row.query_start));
      return attempts.size;
    };
    await expect.poll(countAttempts, { interval: 10 }).toBeGreaterThan(1);
    await other.query('commit');
    await expect.poll(() => server.output()).toContain('There is no API key yet');
  });

  test.each(['an attempt', 'the pause after an attempt'])(
    'that stops in %s begins no further attempt, deletes no expired records, and logs neither a further reason nor the password',
    async (moment) => {
      let connections = 0;
      /** The server's output at the beginning of each attempt after the second. */
      const outputs: string[] = [];
      const database = createServer(async (socket) => {
        const failsAtStop = ++connections > 2; // A start logs the reason after its second attempt, before the third.
        // An ErrorResponse of an Italian PostgreSQL: a letter, four bytes of length, and fields.
        const fields = `SFATALE\0C28P01\0M${failsAtStop ? 'further' : 'first'} reason\0\0`;
        if (failsAtStop) {
          outputs.push((await starting).output());
          await expect.poll((await starting).output).toContain('"Stopping"');
        }
        socket.once('data', () => socket.end(`E\0\0\0${String.fromCharCode(4 + fields.length)}${fields}`));
      });
      await using listening = await listen(database);
      const url = `${listening.origin.replace('http://', 'postgres://me:secret@')}/none`;
      // The grace period is long enough for further attempts, which would begin every 500 ms.
      const starting = startServer({ DATABASE_URL: url, SHUTDOWN_GRACE_MS: '2000' });
      await using server = await starting;
      await expect.poll(() => server.output()).toContain('first reason');
      if (moment === 'an attempt') await expect.poll(() => outputs).not.toEqual([]);
      expect(await server.stop()).toEqual({ code: 0, signal: null });
      expect(outputs.join()).not.toContain('"Stopping"');
      expect(server.output()).not.toMatch(/further reason|Expired idempotency records|secret/);
    },
  );
});
