import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPetStore, type NewPet } from '@petstore/client';
import { type Engine, engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { startProgram } from '@petstore/test-support/programs';
import { chooseSeed, randomIntegers } from '@petstore/test-support/seed';
import { CLI, FIXED_KEY, runCli, startServer } from '@petstore/test-support/servers/server-process';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { migrate } from '#support/database';
import { copyDatabase } from '../../src/commands/copy-database.ts';

/** Both directions between the engines. */
const pairs = engines.flatMap((from) => engines.filter((to) => to !== from).map((to) => [from, to] as const));

/** Names that an engine, JSON or an array of PostgreSQL could take for something else. */
const NAMES = ['NULL', '', ' ', '\\', '{"a",}', '\t\r\n', "'", '\u2028', 'Ñandú 🐦', '10'];

const numbersTo = {
  sqlite: (count: number) =>
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`,
  postgres: (count: number) => `with numbers (n) as (select generate_series(1, ${count}::bigint))`,
};

/** SQL that makes a UUID from n. The first bit is 0 in about half of the UUIDs. */
const keyOf = {
  sqlite: `unhex(printf('%08x', n * 2654435761 % 4294967296) || printf('%024x', n))`,
  postgres: `(lpad(to_hex(n * 2654435761 % 4294967296), 8, '0') || lpad(to_hex(n), 24, '0'))::uuid`,
};

/** Creates a database with the schema and without rows. */
async function emptyDatabase(engine: Engine) {
  const database = await temporaryDatabase(engine);
  await migrate(database.url);
  return database;
}

/** Creates a database with pets and idempotency records. Category ids reach from one end of int64 to the other. */
async function filledDatabase(engine: Engine, pets: number) {
  const database = await emptyDatabase(engine);
  const names = NAMES.map((name, index) => `when ${index} then '${name.replaceAll("'", "''")}'`);
  await database.run(
    `${numbersTo[engine](pets)} insert into pets (id, name, category_id, status, created_at, created_by)
     select n, case n % 20 ${names.join(' ')} else 'pet ' || n end,
       case n % 3 when 0 then 9223372036854775807 - n when 1 then n - 9223372036854775807 - 1 else n end,
       case n % 4 when 0 then 'available' when 1 then 'pending' when 2 then 'sold' end,
       1767225600000 + n, case n % 1000 when 1 then 'importer' end from numbers`,
  );
  await database.run(
    `${numbersTo[engine](Math.ceil(pets / 10))}
     insert into idempotency_records (key, fingerprint, pet_id, created_at)
     select ${keyOf[engine]}, case n % 2 when 0 then n - 9223372036854775807 - 1 else n end, n, 29453760 from numbers`,
  );
  return database;
}

const copy = (from: string, to: string) => runCli(['copy', '--from', from, '--to', to]);

/** Kills a copy some time after it has begun. */
async function killCopy(from: string, to: string, afterMs: number): Promise<void> {
  const { child, ended } = startProgram([CLI, 'copy', '--from', from, '--to', to]);
  await once(child.stderr, 'data');
  await sleep(afterMs);
  child.kill('SIGKILL');
  await ended;
}

const storeOf = ({ baseUrl }: { baseUrl: string }, apiKey = FIXED_KEY) => createPetStore({ baseUrl, apiKey });

const NEW_PET: NewPet = { name: 'Ñandú', categoryId: 7 };

// A copy reads 5,000 rows at a time, so 5,500 pets take two reads.
test.runIf(engines.length === 2)(
  '5,500 pets move from SQLite to PostgreSQL and back, with keys and idempotency records',
  async () => {
    await using source = await filledDatabase('sqlite', 5_500);
    await using target = await emptyDatabase('postgres');
    await target.run('create schema another create table pets (id text)');
    const environment = { DATABASE_URL: source.url };
    const { stdout: shop } = await runCli(['keys', 'create', '--name', 'shop'], environment);
    const { stdout: rotated } = await runCli(['keys', 'rotate', 'shop', '--grace', '1h'], environment);
    const { stdout: auditor } = await runCli(
      ['keys', 'create', '--name', 'auditor', '--scope', 'read', '--expires', '30d', '--rate-limit', '20/10'],
      environment,
    );
    await source.run(`update api_keys set last_used_at = 1767225600000 where name = 'shop'`);
    await using before = await startServer(environment);
    const options = { idempotencyKey: 'one' };
    const created = await storeOf(before).createPet(NEW_PET, options);
    expect(created.id).toBe(5_501);
    const readAll = (server: { baseUrl: string }) => Array.fromAsync(storeOf(server).pets({ pageSize: 100 }));
    const pets = await readAll(before);
    expect(pets).toHaveLength(5_501);
    await before.stop();

    const { code, stdout } = await copy(source.url, target.url);
    expect(stdout).toMatch(/^pets: 5,501 rows, SHA-256 [0-9a-f]{64} on both sides$/m);
    expect(code).toBe(0);

    const keysOf = async (url: string) =>
      (await runCli(['keys', 'list', '--json'], { DATABASE_URL: url })).stdout;
    expect(await keysOf(target.url)).toBe(await keysOf(source.url));
    await using after = await startServer({ DATABASE_URL: target.url });
    expect(await readAll(after)).toEqual(pets);
    const { safe } = storeOf(after, auditor.trim());
    expect((await safe.listPets()).status).toBe(200);
    expect((await safe.createPet(NEW_PET)).status).toBe(403);
    for (const [index, key] of [shop, rotated].entries()) {
      expect(await storeOf(after, key.trim()).createPet(NEW_PET)).toMatchObject({ id: 5_502 + index });
    }
    expect(await storeOf(after).createPet(NEW_PET, options)).toEqual(created);
    await after.stop();

    await using back = await emptyDatabase('sqlite');
    expect(await copy(target.url, back.url)).toMatchObject({ code: 0 });
    await using again = await startServer({ DATABASE_URL: back.url });
    expect((await readAll(again)).slice(0, pets.length)).toEqual(pets);
    expect(await storeOf(again).createPet(NEW_PET)).toMatchObject({ id: 5_504 });
  },
);

describe.each(pairs)('from %s to %s', (from, to) => {
  test('a copy that is killed and started again has every row once', async () => {
    await using source = await filledDatabase(from, 6_000);
    await using target = await emptyDatabase(to);
    const random = randomIntegers(chooseSeed(`killed copies from ${from} to ${to}`));
    // A killed copy may have committed before the signal.
    for (let kill = 0; kill < 3; kill += 1) await killCopy(source.url, target.url, random(0, 1_000));
    expect(await copy(source.url, target.url)).toMatchObject({ code: 0 });
    const again = await copy(source.url, target.url);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toMatch(/^pets: 6,000 rows,/m);
    // Without an id, so that the engine assigns a free one.
    await target.run(`insert into pets (name, category_id) values ('by another program', 1)`);
  });

  test('a target with pets of its own is refused in one line, and is left as it is', async () => {
    await using source = await filledDatabase(from, 3);
    // The target has as many pets as the source, but with other names.
    await using target = await filledDatabase(to, 3);
    await target.run(`update pets set name = 'another'`);
    const before = await target.dump();
    const { code, stdout, stderr } = await copy(source.url, target.url);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^petstore: the target has other rows in pets, and is left as it is\n$/m);
    expect(await target.dump()).toEqual(before);
  });
});

test.each(engines)('over %s, a target that has some of the rows gets the missing ones', async (engine) => {
  await using source = await filledDatabase(engine, 5);
  await using target = await filledDatabase(engine, 3);
  await target.run(`delete from idempotency_records`);
  expect(await copy(source.url, target.url)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^pets: 5 rows, [\s\S]*^idempotency_records: 1 rows, /m),
  });
});

test.each(engines)('over %s, ids that the target used before the copy are not used again', async (engine) => {
  await using source = await filledDatabase(engine, 3);
  await using target = await filledDatabase(engine, 9);
  await using server = await startServer({ DATABASE_URL: target.url });
  const { id } = await storeOf(server).createPet(NEW_PET);
  await target.run('delete from pets where id > 3');
  expect(await copy(source.url, target.url)).toMatchObject({ code: 0 });
  expect(await storeOf(server).createPet(NEW_PET)).toMatchObject({ id: Number(id) + 1 });
});

describe('a copy fails with one line', () => {
  const lineOf = async (...options: string[]) => {
    const { stdout, stderr, code } = await runCli(['copy', ...options]);
    expect(stdout).toBe('');
    return `${code}: ${stderr}`;
  };

  test('when there is no source', async () => {
    await using target = await temporaryDatabase('sqlite');
    expect(await lineOf('--from', `${target.url}-none`, '--to', target.url)).toMatch(
      /^1: petstore: --from: there is no database at [^\n]+-none\n$/,
    );
  });

  test.each(['--from', '--to'])('when the schema of %s is newer', async (newer) => {
    await using older = await emptyDatabase('sqlite');
    await using other = await emptyDatabase('sqlite');
    await other.run(`insert into kysely_migration values ('002-newer', '2030-01-01T00:00:00.000Z')`);
    const line = await lineOf(newer === '--from' ? '--to' : '--from', older.url, newer, other.url);
    expect(line).toMatch(
      /petstore: the (?:source|target) has a newer schema: use the release that made it\n$/,
    );
  });

  test.each([...pairs, ['sqlite', 'sqlite'] as const])(
    'when a side has a column that the other lacks, from %s to %s',
    async (from, to) => {
      await using source = await filledDatabase(from, 3);
      await using target = await emptyDatabase(to);
      const lineOfCopy = () => lineOf('--from', source.url, '--to', target.url);
      await target.run('alter table pets add column extra text');
      expect(await lineOfCopy()).toMatch(/petstore: only the target has the column pets\.extra: [^\n]+\n$/);
      await source.run(`alter table pets add column extra text; alter table pets add column note text`);
      expect(await lineOfCopy()).toMatch(/petstore: only the source has the column pets\.note: [^\n]+\n$/);
      expect((await target.dump()).join()).not.toContain('importer');
    },
  );

  test.each(pairs)('when a server uses the source, from %s to %s', async (from, to) => {
    await using source = await filledDatabase(from, 3);
    await using target = await emptyDatabase(to);
    await using server = await startServer({ DATABASE_URL: source.url });
    const { id } = await storeOf(server).createPet(NEW_PET);
    expect(await lineOf('--from', source.url, '--to', target.url)).toMatch(
      /^1: [\s\S]*petstore: the source cannot be used: a server uses it, [^\n]+\n$/,
    );
    expect((await target.dump()).join()).not.toContain('importer');
    expect(await storeOf(server).createPet(NEW_PET)).toMatchObject({ id: Number(id) + 1 });
    await server.stop();
    expect(await copy(source.url, target.url)).toMatchObject({ code: 0 });
  });

  test.runIf(engines.includes('postgres'))('when the connection to a side is lost', async () => {
    await using source = await filledDatabase('postgres', 3);
    await using target = await emptyDatabase('sqlite');
    const other = new BetterSqlite3(target.url.slice('sqlite:'.length));
    other.exec('begin immediate');
    const line = lineOf('--from', source.url, '--to', target.url);
    // Ends the connection when the copy has locked the source and waits for the target.
    await source.run(`do $$ begin loop
      perform pg_terminate_backend(pid) from pg_locks
        where relation = 'api_keys'::regclass and mode = 'ShareRowExclusiveLock' and granted;
      exit when found;
      perform pg_sleep(0.05);
    end loop; end $$`);
    other.close();
    expect(await line).toMatch(/^1: Copying, and comparing\npetstore: the source cannot be used: [^\n]+\n$/);
  });

  test.each(pairs)('when a record of the source refers to no pet, from %s to %s', async (from, to) => {
    await using source = await filledDatabase(from, 3);
    await using target = await emptyDatabase(to);
    // SQLite's own tool and PostgreSQL's replication do not enforce foreign keys.
    const off = from === 'sqlite' ? 'pragma foreign_keys = off' : 'set session_replication_role = replica';
    await source.run(`${off}; delete from pets where id = 1`);
    expect(await lineOf('--from', source.url, '--to', target.url)).toMatch(
      /petstore: rows of idempotency_records in the source refer to removed rows: see docs\/upgrade.md\n$/,
    );
  });

  test.runIf(engines.includes('postgres'))('when a side is lost before it is locked', async () => {
    const [file, url] = ['none.db', 'postgres://petstore@127.0.0.1:1/petstore'];
    const from = { engine: 'sqlite', file } as const;
    const to = { engine: 'postgres', url } as const;
    const { signal } = new AbortController();
    const fails = (promise: Promise<unknown>, message: RegExp) => expect(promise).rejects.toThrow(message);
    await fails(copyDatabase(from, to, signal), /^the source cannot be used: /);
    await fails(copyDatabase(to, from, signal), /^the source cannot be used: [^\n]*ECONNREFUSED/);
  });

  test('when a URL is invalid', async () => {
    expect(await lineOf('--from', 'petstore.db', '--to', 'sqlite:new.db')).toMatch(
      /^2: petstore: --from must be sqlite:[^\n]+\n$/,
    );
  });

  test('when both URLs name the same database', async () => {
    await using source = await filledDatabase('sqlite', 1);
    const sameFile = source.url.replace(/[^/]+$/, './$&');
    expect(await lineOf('--from', source.url, '--to', sameFile)).toBe(
      '2: petstore: --from and --to are the same database\n',
    );
  });
});
