import { engines } from '@petstore/test-support/databases/engines';
import { startPostgres } from '@petstore/test-support/databases/postgres-server';
import { startTransactionPooler } from '@petstore/test-support/databases/transaction-pooler';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { startApp } from '#support/app';

const TIMEOUT_MS = 500;

describe.runIf(engines.includes('postgres'))('over PostgreSQL', () => {
  test.each([
    ['with direct connections', false],
    ['behind a pooler', true],
  ])(
    'a statement that takes too long is cancelled on the server, and its connection is replaced, %s',
    async (_where, isPooled) => {
      await using postgres = await startPostgres();
      await using pooler = await startTransactionPooler(postgres.url, { size: 2 });
      await using app = await startApp(
        {
          DATABASE_URL: isPooled ? pooler.url : postgres.url,
          DATABASE_POOL_SIZE: '2',
          DATABASE_STATEMENT_TIMEOUT_MS: `${TIMEOUT_MS}`,
        },
        'postgres',
      );
      const countWaiting = async () => {
        const [row] = await postgres.query(
          `select count(*) as waiting from pg_locks where relation = 'pets'::regclass and not granted`,
        );
        return Number(row?.waiting);
      };
      const migration = new pg.Client(postgres.url);
      await migration.connect();
      await migration.query('begin; lock table pets in access exclusive mode');

      const responses = await Promise.all([1, 2, 3].map((limit) => app.request(`/pets?limit=${limit}`)));
      expect(responses.map(({ status }) => status)).toEqual([503, 503, 503]);
      // Without a request to cancel they would wait for the lock, and count for the server, as long as it is held.
      await expect.poll(countWaiting).toBe(0);
      await migration.query('commit');
      await migration.end();
      await expect.poll(async () => (await app.request('/pets')).status).toBe(200);
    },
  );
});
