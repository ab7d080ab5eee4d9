import { spawnSync } from 'node:child_process';
import { parseJson } from '@petstore/contract';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { engines } from '@petstore/test-support/databases/engines';
import { CLI, FIXED_KEY, runCli, startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, test } from 'vitest';
import { beginIdsAt } from '#support/ids';
import { migrate } from '#support/migrate';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/open-database.ts';

const HOUR_MS = 3_600_000;
const LARGE_ID = 2n ** 62n + 1n;
const SMALL_ID = -LARGE_ID;

/** Adds a pet, and returns the text of the response. */
async function addPet(baseUrl: string, apiKey: string, name: string, headers = {}): Promise<string> {
  const response = await fetch(`${baseUrl}/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name, categoryId: 1, status: 'sold' }),
  });
  expect(response.status).toBe(201);
  return response.text();
}

const linesOf = (output: string) => output.split('\n').slice(0, -1);

describe.each(engines)('over %s', (engine) => {
  test('petstore pets tells which API key has added which pet and when, and the interface does not', async () => {
    await using database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url };
    const petstore = async (...command: string[]) => {
      const { code, stdout, stderr } = await runCli(command, environment);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    };
    const shop = (await petstore('keys', 'create', '--name', 'shop')).trim();
    const office = (await petstore('keys', 'create', '--name', 'office')).trim();
    await using server = await startServer(environment);
    const { baseUrl } = server;
    const start = Date.now();
    const created = await addPet(baseUrl, shop, 'Ñandú\u001b[2J');
    expect(created).toContain('{"id":1,"name":"Ñandú\\u001b[2J","categoryId":1,"status":"sold"');
    expect(created).not.toMatch(/created|shop/);
    await addPet(baseUrl, office, 'b', { 'idempotency-key': '"b"' });
    await addPet(baseUrl, FIXED_KEY, 'c');
    const rotated = (await runCli(['keys', 'rotate', 'shop'], environment)).stdout.trim();
    await addPet(baseUrl, rotated, 'd');
    await addPet(baseUrl, office, 'b', { 'idempotency-key': '"b"' });
    await database.run(`insert into pets (id, name, category_id) values (10, 'of another program', 1)`);

    const lines = linesOf(await petstore('pets', '--json')).map((line) => JSON.parse(line));
    expect(lines.map(({ id, createdBy }) => [id, createdBy])).toEqual([
      [1, 'shop'],
      [2, 'office'],
      [3, 'env-1'],
      [4, 'shop'],
      [10, null],
    ]);
    const [first] = linesOf(await petstore('pets', '--created-by', 'shop', '--json'));
    expect(first).toMatch(
      /^{"id":1,"createdAt":"[\d-]{10}T[\d:.]{12}Z","createdBy":"shop","name":"Ñandú\\u001b\[2J","categoryId":1,"status":"sold".*}$/,
    );
    const createdAt = Date.parse(JSON.parse(first ?? '').createdAt);
    expect(createdAt).toBeGreaterThanOrEqual(start);
    expect(createdAt).toBeLessThanOrEqual(Date.now());
    expect(linesOf(await petstore('pets', '10', '--json'))).toEqual([
      expect.stringMatching(/^{"id":10,"createdAt":null,"createdBy":null,"name":"of another program",/),
    ]);
    expect(await petstore('pets', '1')).toMatch(/^1 {2}\S+Z {2}shop {2}"Ñandú\\u001b\[2J"\n$/);
    expect(await petstore('pets', '11')).toBe('');
    expect(await petstore('pets', '--created-by', 'nobody', '--json')).toBe('');

    const listed = await fetch(`${baseUrl}/pets`, { headers: { authorization: `Bearer ${office}` } });
    expect((await listed.text()).startsWith(`[${created},`)).toBe(true);
  });

  test('petstore pets --since leaves out pets that were added before, and those of which nothing is known', async () => {
    await using database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url };
    await migrate(database.url);
    const age = (hours: number) => Date.now() - hours * HOUR_MS;
    for (const [id, createdAt, createdBy] of [
      [1, 'null', 'null'],
      [2, age(50), `'shop'`],
      [3, age(20), `'shop'`],
      [4, age(1), `'office'`],
    ]) {
      await database.run(
        `insert into pets (id, name, category_id, created_at, created_by) values (${id}, 'a', 1, ${createdAt}, ${createdBy})`,
      );
    }
    const ids = async (...options: string[]) =>
      linesOf((await runCli(['pets', '--json', ...options], environment)).stdout).map(
        (line) => JSON.parse(line).id,
      );
    expect(await ids('--since', '24h')).toEqual([3, 4]);
    expect(await ids('--since', new Date(age(60)).toISOString().slice(0, 16).concat('Z'))).toEqual([2, 3, 4]);
    expect(await ids('--since', '24h', '--created-by', 'shop')).toEqual([3]);
    expect(await ids()).toEqual([1, 2, 3, 4]);
  });

  test('petstore pets finds each pet once in a table that takes many statements to read, with gaps and int64 ids', async () => {
    await using database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url };
    await migrate(database.url);
    // Every second id, and every hundredth of them from one key; before, between and after the parts that are read.
    await database.run(
      `with recursive number (n) as (select 1 union all select n + 1 from number where n < 25000)
       insert into pets (id, name, category_id, created_at, created_by)
       select ${SMALL_ID} + 2 * n, 'a', 1, 1, case when n % 100 = 0 then 'shop' else 'office' end from number`,
    );
    await database.run(
      `insert into pets (id, name, category_id, created_at, created_by) values (${LARGE_ID}, 'z', 1, 1, 'shop')`,
    );
    const { stdout } = await runCli(['pets', '--created-by', 'shop', '--json'], environment);
    const ids = linesOf(stdout).map(idOf);
    const expected = Array.from({ length: 250 }, (_, index) => SMALL_ID + 200n * BigInt(index + 1));
    expect(ids).toEqual([...expected, LARGE_ID]);
    const all = await runCli(['pets', '--json'], environment);
    expect(linesOf(all.stdout)).toHaveLength(25_001);
  });

  test('the log line of a creation has the id of its pet, exactly, and no other line has one', async () => {
    await using database = await temporaryDatabase(engine);
    {
      await using opened = await openDatabase(readConfig({ DATABASE_URL: database.url }));
      await beginIdsAt(opened, engine, LARGE_ID);
    }
    await using server = await startServer({ DATABASE_URL: database.url });
    const { baseUrl } = server;
    const headers = { authorization: `Bearer ${FIXED_KEY}` };
    for (let time = 0; time < 2; time += 1)
      await addPet(baseUrl, FIXED_KEY, 'a', { 'idempotency-key': '"a"' });
    await (await fetch(`${baseUrl}/pets/${LARGE_ID}`, { headers })).text();
    await (await fetch(`${baseUrl}/pets`, { method: 'POST', headers, body: '{' })).text();
    const requests = () => linesOf(server.output()).filter((line) => line.includes('"requestId"'));
    await expect.poll(requests).toHaveLength(4);
    const ids = requests().map((line) => /"petId":(\d+)[,}]/.exec(line)?.[1]);
    expect(ids).toEqual([`${LARGE_ID}`, `${LARGE_ID}`, undefined, undefined]);
  });
});

/** The id of a line, exactly. */
function idOf(line: string): bigint {
  const value = parseJson(line);
  if (!(value instanceof Object) || !('id' in value)) throw new TypeError(`This line has no id: ${line}`);
  return BigInt(String(value.id));
}

test('petstore pets ends when its output is read no further, and says so in one line', async () => {
  await using database = await temporaryDatabase('sqlite');
  const environment = { DATABASE_URL: database.url };
  await migrate(database.url);
  await database.run(
    `with recursive number (n) as (select 1 union all select n + 1 from number where n < 50000)
     insert into pets (id, name, category_id) select n, 'a', 1 from number`,
  );
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', `{ "$0" "$1" pets --json; echo "exit code $?" >&2; } | head -n 1`, process.execPath, CLI],
    { env: { PATH: process.env.PATH, ...environment }, encoding: 'utf8' },
  );
  expect(status).toBe(0);
  expect(stdout).toMatch(/^{"id":1,"createdAt":null,"createdBy":null,"name":"a","categoryId":1.*}\n$/);
  expect(stderr).toBe('petstore: cannot write to standard output: write EPIPE\nexit code 1\n');
});

// Which times are valid is tested with their parser.
test.each([['soon'], ['2999-01-01']])('petstore pets --since %s fails with one line', async (since) => {
  await using database = await temporaryDatabase('sqlite');
  const { code, stdout, stderr } = await runCli(['pets', '--since', since], { DATABASE_URL: database.url });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^petstore: "[^\n]+" is [^\n]+\n$/);
});

test('petstore pets with what is no id fails with one line', async () => {
  for (const id of ['x', '9223372036854775808']) {
    const { code, stderr } = await runCli(['pets', id], { DATABASE_URL: 'sqlite:unused.db' });
    expect({ code, stderr }).toEqual({ code: 1, stderr: `petstore: "${id}" is not an id: an integer is\n` });
  }
});
