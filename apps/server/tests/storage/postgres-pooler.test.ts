import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { engines } from '@petstore/test-support/databases/engines';
import { startTransactionPooler } from '@petstore/test-support/databases/transaction-pooler';
import { chooseSeed, randomIntegers } from '@petstore/test-support/seed';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { startWriters } from '@petstore/test-support/writers';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { expectExactlyOnce, readPetsByName } from '#support/pets-by-name';

async function runSql(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

const read = ({ origin }: ServerProcess, path: string) =>
  fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${FIXED_KEY}` } });

const add = ({ origin }: ServerProcess, body: string) =>
  fetch(`${origin}/v1/pets`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${FIXED_KEY}`, 'content-type': 'application/json' },
  });

/** Has each new pet note what its transaction is set to. */
const NOTE_SETTINGS = `
  create table noted (synchronous_commit text, search_path text);
  create function note() returns trigger language plpgsql as $$
  begin
    insert into public.noted values (current_setting('synchronous_commit'), current_setting('search_path'));
    return new;
  end $$;
  create trigger note after insert on pets for each row execute function note()`;

describe.runIf(engines.includes('postgres'))('behind a pooler in transaction mode', () => {
  test('two servers respond as on PostgreSQL itself, and every acknowledged pet exists exactly once', async () => {
    const random = randomIntegers(chooseSeed('pooler'));
    await using database = await temporaryDatabase('postgres');
    await using pooler = await startTransactionPooler(database.url, { size: 3 });
    // On a busy machine a writer may wait long for one of the sessions. That is no failure here.
    const patience = { DATABASE_CONNECT_TIMEOUT_MS: '20000', DATABASE_STATEMENT_TIMEOUT_MS: '20000' };
    await using first = await startServer({ DATABASE_URL: pooler.url, ...patience });
    await using second = await startServer({ DATABASE_URL: pooler.url, ...patience });
    const servers = [first, second];
    const writers = servers.map(({ origin }, number) =>
      startWriters(origin, { count: 6, random, name: `server-${number}` }),
    );
    const statuses = new Map<number, number>();
    const paths = ['/v1/pets?status=sold', '/v1/pets', '/v1/pets/1'];
    const end = performance.now() + 4_000;
    await Promise.all(
      servers.flatMap((server) =>
        Array.from({ length: 6 }, async (_, reader) => {
          for (let number = reader; performance.now() < end; number += 1) {
            const { status } = await read(server, paths[number % paths.length] ?? '');
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }
        }),
      ),
    );
    for (const writer of writers) await writer.end();
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    await expect.poll(async () => (await read(first, '/readyz')).status).toBe(200);
    expectExactlyOnce(
      await readPetsByName(first.baseUrl),
      writers.flatMap(({ creations }) => creations),
    );
  });

  test('what another program has set in a session holds for no creation, and is left as it is', async () => {
    await using database = await temporaryDatabase('postgres');
    await using pooler = await startTransactionPooler(database.url, { size: 1 });
    await using server = await startServer({ DATABASE_URL: pooler.url });
    await runSql(database.url, NOTE_SETTINGS);
    await runSql(pooler.url, 'set synchronous_commit = off');
    expect((await add(server, '{"name":"a","categoryId":1}')).status).toBe(201);
    expect(await runSql(database.url, 'select synchronous_commit from noted')).toEqual([
      { synchronous_commit: 'on' },
    ]);
    // Nor is the session changed for that program.
    expect(await runSql(pooler.url, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'off' }]);
  });
});
