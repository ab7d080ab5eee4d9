import { NewPet, PetStatus } from '@petstore/contract';
import type { Engine } from '@petstore/test-support/databases/databases';
import { engines, LIMIT_TRANSACTIONS, SETTINGS_TRIGGER } from '@petstore/test-support/databases/databases';
import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { describe, expect, test } from 'vitest';
import { startApp } from '#support/app';
import { failureOf, runCommand } from '#support/commands';
import { addPets, caller, migratedDatabase, open, openTemporaryDatabase, runSql } from '#support/database';
import { copyDatabase } from '../../src/commands/copy-database.ts';
import { CreateQueue } from '../../src/pets/create-queue.ts';
import { DatabaseUrl } from '../../src/process/database-url.ts';

/** Both directions between the engines. */
const pairs = engines.flatMap((from) => engines.filter((to) => to !== from).map((to) => [from, to] as const));

/** Names that an engine, JSON or an array of PostgreSQL could take for something else. */
const NAMES = ['NULL', '', ' ', '\\', '{"a",}', '\t\r\n', "'", '\u2028', 'Ñandú 🐦', '10'];

/** Pet 1 and every tenth pet after it have idempotency records. Category ids include both ends of int64. */
async function filledDatabase(engine: Engine, pets: number) {
  const database = await migratedDatabase(engine);
  await using opened = await open(database.url);
  const queue = new CreateQueue(opened, { maxWaiting: pets });
  const create = async (_: unknown, number: number) => {
    const categoryId = [2n ** 63n - 1n, -(2n ** 63n), number][number % 3];
    const name = NAMES[number % 20] ?? `pet ${number}`;
    // One pet of each status in turn, then one without.
    const status = PetStatus.options[number % (PetStatus.options.length + 1)];
    const pet = NewPet.parse({ name, categoryId, status });
    await queue.create({ pet, caller, idempotencyKey: number % 10 === 0 ? `${number}` : undefined });
  };
  await Promise.all(Array.from({ length: pets }, create));
  await database.run('update pets set created_by = null, created_at = null where id % 2 = 0'); // As if added by SQL.
  return database;
}

const { signal: interrupted } = new AbortController();
const copy = (from: string, to: string, options: Partial<Parameters<typeof copyDatabase>[2]> = {}) =>
  copyDatabase(DatabaseUrl.parse(from), DatabaseUrl.parse(to), { interrupted, ...options });

/** All rows, with the columns that both engines return in the same form. */
async function readAll(url: string) {
  await using database = await open(url);
  return {
    pets: await runSql(database, 'select * from pets order by id'),
    records: await runSql(database, 'select fingerprint, pet_id from idempotency_records order by pet_id'),
    keys: new Set(await runSql(database, 'select * from api_keys')),
  };
}

const NEW_PET = { name: 'Ñandú', categoryId: 7 };

test.runIf(engines.length === 2)(
  'a service that changes to a copy of its database keeps API keys, idempotency records and ids, and the copy replaces settings of the URL',
  async () => {
    await using source = await filledDatabase('sqlite', 5);
    await using target = await migratedDatabase('postgres');
    // The copy must ignore the schema `another`, and replace settings of the URL and the database.
    await target.run(`create schema another create table pets (id text); ${SETTINGS_TRIGGER}`);
    await target.run(LIMIT_TRANSACTIONS);
    const isolation = '-c default_transaction_isolation=serializable';
    const to = `${target.url}?options=-c synchronous_commit=off -c statement_timeout=1h ${isolation}`;
    const keyed = creation('keyed', { 'idempotency-key': 'one' });
    const before = await startApp({ DATABASE_URL: source.url });
    const created = await (await before.request('/pets', keyed)).text();
    await before.request('/pets', creation('removed'));
    await source.run(`delete from pets where name = 'removed'`);
    await before[Symbol.asyncDispose]();
    const { code, stdout } = await runCommand(['copy', '--from', source.url, '--to', to], {});
    expect(stdout).toMatch(/^pets: 6 rows, SHA-256 [0-9a-f]{64} on both sides$/m);
    expect(code).toBe(0);
    const after = await startApp({ DATABASE_URL: target.url }, { apiKey: before.apiKey });
    const used = `select distinct concat_ws(' ', isolation, synchronous_commit, idle_timeout, statement_timeout,
      transaction_timeout) as settings from transaction_settings`;
    expect(await runSql(after.service.database, used)).toEqual([{ settings: 'read committed on 10min 0 0' }]);
    expect(await (await after.request('/pets', keyed)).text()).toBe(created);
    // The removed pet had the id 7.
    expect(await (await after.request('/pets', creation())).json()).toMatchObject({ id: 8 });
    await after[Symbol.asyncDispose]();
  },
);

describe.each(pairs)('from %s to %s', (from, to) => {
  test('a refused or interrupted copy leaves the target as it was, and a repeated copy adds the missing rows', async () => {
    // A copy reads 500 rows at a time, so these pets take two reads.
    await using source = await filledDatabase(from, 550);
    await using target = await openTemporaryDatabase(to);
    await source.run(`insert into api_keys (hash, name, scope, created_at, ends_at, end_reason, rate_limit)
      values ('a', 'shop', 'read', 1, null, null, '20/10'), ('B', 'kiosk', 'write', 2, 3, 'expired', null)`);
    // ICU sorts a before B, but the copy must read both sides in the order of bytes: B before a.
    const postgres = from === 'postgres' ? source : target;
    await postgres.run('alter table api_keys alter column hash type text collate "en-x-icu"');
    await postgres.run('alter table pets add gone text; alter table pets drop gone'); // The catalog keeps it.
    // The target has used more ids than the source: its next id is 601.
    await addPets(target.database, Array(600).fill(NEW_PET));
    await target.run('delete from pets');
    const server = await open(source.url);
    await addPets(server, [NEW_PET]);
    await expect(copy(source.url, target.url)).rejects.toThrow(
      from === 'sqlite'
        ? /^the source cannot be used: a server uses it, .+: stop the servers first$/
        : /stop the servers first; with PgBouncer, also run its RECONNECT$/,
    );
    await server[Symbol.asyncDispose]();
    const controller = new AbortController();
    const onStart = () => controller.abort(new Error('interrupted'));
    const interrupted = copy(source.url, target.url, { interrupted: controller.signal, onStart });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect((await readAll(target.url)).pets).toEqual([]);

    await copy(source.url, target.url);
    // Pets 1 and 11 have records: pet 1 loses its own, pet 11 keeps it. The records of removed pets go with them.
    await target.run('delete from idempotency_records where pet_id = 1; delete from pets where id > 11');

    const copied = await copy(source.url, target.url);
    // The pet that the server added has no idempotency record.
    expect(copied.map(({ name, rows }) => [name, rows])).toEqual([
      ['pets', 551],
      ['idempotency_records', 55],
      ['api_keys', 2],
    ]);
    expect(new Set(copied.map(({ digest }) => digest)).size).toBe(3); // Each table has its own digest.
    expect(await readAll(target.url)).toEqual(await readAll(source.url));
    expect(await addPets(target.database, [NEW_PET])).toMatchObject([{ id: 601 }]);
  });

  test('rows or columns that only one side has are refused, and so are records that refer to no pet', async () => {
    await using source = await filledDatabase(from, 3);
    // The target has as many pets as the source, but with other names.
    await using target = await filledDatabase(to, 3);
    await target.run(`update pets set name = 'another'`);
    const before = await target.dump();
    const refusal = () => copy(source.url, target.url).catch((error: Error) => error.message);
    expect(await refusal()).toBe('the target has other rows in pets, and is left as it is');
    expect(await target.dump()).toEqual(before);

    await target.run('delete from idempotency_records; delete from pets; alter table pets add extra text');
    expect(await refusal()).toContain('only the target has the column pets.extra');
    await source.run('alter table pets add column extra text; alter table pets add column note text');
    expect(await refusal()).toContain('only the source has the column pets.note');

    // The code decides which constraint refuses a row, not the message.
    await target.run('alter table pets add column note text constraint "foreign key" check (note notnull)');
    expect(await refusal()).toMatch(/^the target cannot be used: .*check constraint.*foreign key/i);
    await target.run('alter table pets drop column note; alter table pets add column note text');
    // The sqlite3 shell and PostgreSQL's replication do not enforce foreign keys.
    const off = from === 'sqlite' ? 'pragma foreign_keys = off' : 'set session_replication_role = replica';
    await source.run(`${off}; delete from pets where id = 1`);
    const reason = 'rows of idempotency_records in the source refer to removed rows: see docs/upgrade.md';
    expect(await refusal()).toBe(reason);
    expect((await readAll(target.url)).pets).toEqual([]);
  });
});

test.runIf(engines.includes('postgres'))('a copy blocks writes, and fails if a server connects', async () => {
  await using source = await filledDatabase('postgres', 3);
  await using target = await migratedDatabase('postgres');
  const { pathname } = new URL(source.url);
  // The copy's own session has this application_name as well, so `offset 1` finds a session of a server.
  const sessions = `select from pg_stat_activity
    where '/' || datname = '${pathname}' and application_name = 'petstore' offset 1`;
  // After the pets, the copy inserts into api_keys, even without keys, and waits until the server has connected.
  await target.run(`create function wait() returns trigger language plpgsql as $$
    begin
      while not exists (${sessions}) loop perform pg_sleep(0.05), pg_stat_clear_snapshot(); end loop;
      return null;
    end $$;
    create trigger wait before insert on api_keys execute function wait()`);
  let server: ReturnType<typeof open> | undefined;
  let writing: Promise<unknown> | undefined;
  const onStart = () => {
    const write = `set lock_timeout = 100; insert into pets (name, category_id) values ('a', 1)`;
    writing = Promise.all([source, target].map(({ run }) => run(write).catch(String)));
    server = writing.then(() => open(`${source.url}?application_name=shop`)); // A server replaces this name.
  };
  await expect(copy(source.url, target.url, { onStart })).rejects.toThrow('a server uses it');
  expect(await writing).toEqual(Array(2).fill(expect.stringContaining('lock timeout')));
  await (await server)?.[Symbol.asyncDispose]();
  expect((await readAll(target.url)).pets).toEqual([]);
});

test.each(['source', 'target'])('a %s with a newer schema is refused', async (side) => {
  await using current = await migratedDatabase('sqlite');
  await using newer = await migratedDatabase('sqlite');
  await newer.run(`insert into kysely_migration values ('002-newer', '2030-01-01T00:00:00.000Z')`);
  const [from, to] = side === 'source' ? [newer, current] : [current, newer];
  const reason = `the ${side} has a newer schema: use the release that made it`;
  await expect(copy(from.url, to.url)).rejects.toThrow(reason);
});

test('a copy names the side that cannot be opened or is damaged, and the reason', async () => {
  const [missing, closed] = ['sqlite:none.db', 'postgres://petstore@127.0.0.1:1/petstore'];
  await expect(copy(missing, closed)).rejects.toThrow(/^the source cannot be used: there is no database at /);
  await expect(copy(closed, missing)).rejects.toThrow(/^the source cannot be used: [^\n]*ECONNREFUSED/);
  await using source = await migratedDatabase('sqlite');
  await expect(copy(source.url, closed)).rejects.toThrow(/^the target cannot be used: [^\n]*ECONNREFUSED/);
  await source.run('create table t(n check(n)); pragma ignore_check_constraints=1; insert into t values (0)');
  await expect(copy(source.url, closed)).rejects.toThrow('the source cannot be used: it is damaged: CHECK');
});

test.each([
  ['petstore.db', 'sqlite:new.db', /--from must be sqlite:/],
  ['sqlite:a.db', 'new.db', /--to must be sqlite:/],
  ['sqlite:a.db', 'sqlite:./a.db', /--from and --to are the same database/],
])('copy --from %s --to %s is a wrong usage', async (from, to, reason) => {
  expect(await failureOf(['copy', '--from', from, '--to', to], {}, { exitCode: 2 })).toMatch(reason);
});
