import { createPetStore } from '@petstore/client';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { engines } from '@petstore/test-support/databases/engines';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';

const RECORD = { idempotencyKey: 'key-of-lost' };

/** Adds a pet that the restored database lacks, and requests it until its response is cached. */
async function addPetThatIsLost({ baseUrl }: ServerProcess) {
  const pets = createPetStore({ baseUrl, apiKey: FIXED_KEY });
  const lost = await pets.createPet({ name: 'lost', categoryId: 1 }, RECORD);
  const get = async (path: string) => {
    const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${FIXED_KEY}` } });
    return { status: response.status, body: await response.json() };
  };
  for (let time = 0; time < 3; time += 1) {
    expect(await get(`/pets/${lost.id}`)).toEqual({ status: 200, body: lost });
    expect(await get('/pets')).toMatchObject({ body: [{ name: 'kept' }, lost] });
  }
  return {
    async expectToBeGone() {
      await expect.poll(() => get('/pets')).toMatchObject({ status: 200, body: [{ name: 'kept' }] });
      expect((await get(`/pets/${lost.id}`)).status).toBe(404);
      const other = await pets.createPet({ name: 'other', categoryId: 1 }, RECORD);
      expect(await get(`/pets/${other.id}`)).toEqual({ status: 200, body: other });
    },
  };
}

async function addPetThatIsKept(url: string): Promise<void> {
  await using server = await startServer({ DATABASE_URL: url });
  await createPetStore({ baseUrl: server.baseUrl, apiKey: FIXED_KEY }).createPet({
    name: 'kept',
    categoryId: 1,
  });
  await server.stop();
}

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

describe.runIf(engines.includes('postgres'))('a running server notices', () => {
  test('tables that pg_restore has replaced in one transaction', async () => {
    await using database = await temporaryDatabase('postgres');
    await addPetThatIsKept(database.url);
    const tables = ['pets', 'idempotency_records'];
    await run(
      database.url,
      ...tables.map((table) => `create table dumped_${table} (like ${table} including all)`),
    );
    await run(database.url, ...tables.map((table) => `insert into dumped_${table} select * from ${table}`));
    await using server = await startServer({ DATABASE_URL: database.url });
    const lost = await addPetThatIsLost(server);
    const replace = tables.map(
      (table) => `drop table ${table}; alter table dumped_${table} rename to ${table}`,
    );
    await run(database.url, `begin; ${replace.join('; ')}; commit`);
    await lost.expectToBeGone();
  });

  test('another database under the name, also when its tables have the same files', async () => {
    await using database = await temporaryDatabase('postgres');
    await using other = await temporaryDatabase('postgres');
    await addPetThatIsKept(database.url);
    const [name, copy] = [database, other].map(({ url }) => new URL(url).pathname.slice(1));
    const admin = inject('postgresUrl');
    await run(admin, `drop database ${copy}`, `create database ${copy} template ${name}`);
    await using server = await startServer({ DATABASE_URL: database.url });
    const lost = await addPetThatIsLost(server);
    await run(
      admin,
      `alter database ${name} with allow_connections false`,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
      `alter database ${name} rename to ${name}_old`,
      `alter database ${copy} rename to ${name}`,
      `alter database ${name}_old rename to ${copy}`,
    );
    await lost.expectToBeGone();
  });
});
