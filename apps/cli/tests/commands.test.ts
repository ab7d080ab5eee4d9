import { spawnSync } from 'node:child_process';
import { createPetStore, type NewPet } from '@petstore/client';
import { type Pet, parseJson } from '@petstore/contract';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { PETS, runPets } from './run-pets.ts';

const LARGE = 9007199254740993n;

let server: ServerProcess;
let environment: Record<string, string>;
const pets: Pet[] = [];
const cleanup = new AsyncDisposableStack();

beforeAll(async () => {
  server = cleanup.use(await startServer({}, { log: 'silent' }));
  environment = { PETSTORE_BASE_URL: server.baseUrl };
  const store = createPetStore({ baseUrl: server.baseUrl, apiKey: FIXED_KEY });
  const newPets: NewPet[] = [
    { name: 'Ñandú 🦤', categoryId: LARGE, status: 'available' },
    { name: 'Red\u001b[31m\u0085\nname', categoryId: 7 },
    ...Array.from(
      { length: 120 },
      (_, index): NewPet => ({ name: `pet ${index}`, categoryId: 1, status: 'sold' }),
    ),
  ];
  for (const pet of newPets) pets.push(await store.createPet(pet));
});

afterAll(() => cleanup.disposeAsync());

const run = (args: string[], variables = {}) =>
  runPets(args, { environment: { ...environment, ...variables } });

describe('pets list', () => {
  test('prints the first page as lines of JSON if standard output is not a terminal', async () => {
    const { stdout, stderr, code } = await run(['list']);
    expect(stdout.trimEnd().split('\n').map(parseJson)).toEqual(pets.slice(0, 20));
    expect(stderr).toBe('There are more than these 20 pets: use --limit or --all\n');
    expect(code).toBe(0);
  });

  test('prints one JSON array with --json, over several pages, with exact integers', async () => {
    const { stdout } = await run(['list', '--all', '--json']);
    expect(stdout).toContain(`"categoryId":${LARGE}`);
    expect(JSON.parse(stdout)).toHaveLength(pets.length);
    const none = await run(['list', '--status', 'pending', '--json']);
    expect(none.stdout).toBe('[]\n');
  });

  test('prints as many pets of a status as --limit allows, and says whether there are more', async () => {
    const sold = pets.filter(({ status }) => status === 'sold');
    for (const limit of [sold.length - 1, sold.length]) {
      const { stdout, stderr } = await run(['list', '--status', 'sold', '--limit', `${limit}`]);
      expect(stdout.trimEnd().split('\n').map(parseJson)).toEqual(sold.slice(0, limit));
      expect(stderr.includes('--all')).toBe(limit < sold.length);
    }
  });

  test('prints JSON without a character that a terminal would obey', async () => {
    for (const format of ['json', 'ndjson']) {
      const { stdout } = await run(['list', '--limit', '2', '--format', format]);
      expect(stdout).toContain(String.raw`Red\u001b[31m\u0085\nname`);
    }
  });

  test('prints a table that shows control characters instead of obeying them', async () => {
    const { stdout } = await run(['list', '--format', 'table', '--limit', '3']);
    // Later versions of the contract may add columns to the right.
    const columns = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(0, 60).trimEnd());
    expect(columns).toEqual([
      'id  name                       categoryId        status',
      '1   Ñandú 🦤                   9007199254740993  available',
      '2   Red\\u001b[31m\\u0085\\nname  7',
      '3   pet 0                      1                 sold',
    ]);
  });
});

describe('pets add', () => {
  test('adds a pet and prints it', async () => {
    const { stdout, code } = await run(['add', 'Rex', '--category', `${-LARGE}`, '--status', 'pending']);
    expect(stdout).toMatch(
      /^\{"id":\d+,"name":"Rex","categoryId":-9007199254740993,"status":"pending".*\}\n$/,
    );
    expect(code).toBe(0);
  });

  test('adds a pet once with the same --idempotency-key', async () => {
    const args = ['add', 'Once', '--category', '7', '--idempotency-key', 'order-17'];
    expect((await run(args)).stdout).toBe((await run(args)).stdout);
  });
});

describe('the exit code', () => {
  test('depends on the kind of failure, and each failure prints one line', async () => {
    const failures: [keyof typeof exitCodes, string[], Record<string, string>][] = [
      ['usage', ['get', 'x'], {}],
      ['usage', ['import', 'missing.csv'], {}],
      ['usage', ['list'], { PETSTORE_BASE_URL: server.origin }],
      ['usage', ['list'], { PETSTORE_BASE_URL: 'pst_secret' }],
      ['notFound', ['get', '999999'], {}],
      ['refused', ['add', '\u0007', '--category', '1.5'], { PETSTORE_BASE_URL: 'http://none.invalid/v1' }],
      ['unauthorized', ['list'], { PETSTORE_API_KEY: 'pst_wrong' }],
      ['unavailable', ['list'], { PETSTORE_BASE_URL: 'http://127.0.0.1:2/v1' }],
    ];
    for (const [kind, args, variables] of failures) {
      const { code, stdout, stderr } = await run(args, variables);
      expect(code, args.join(' ')).toBe(exitCodes[kind]);
      expect(stderr).toMatch(/^pets: .+\n$/);
      expect(stdout + stderr).not.toMatch(/pst_/);
    }
  });

  test('is 1, with one line, when standard output cannot be written', async () => {
    const args = ['-c', 'exec "$0" "$1" list > /dev/full', process.execPath, PETS];
    const result = spawnSync('sh', args, {
      env: { ...process.env, ...environment, PETSTORE_API_KEY: FIXED_KEY },
      encoding: 'utf8',
    });
    expect(result.stderr).toMatch(/^pets: Standard output cannot be written: ENOSPC.*\n$/);
    expect(result.status).toBe(exitCodes.failure);
  });

  test('is the code for usage when commander refuses the arguments', async () => {
    for (const args of [['list', '--limit', '0'], ['list', '--status', 'lost'], ['fly'], ['add']]) {
      const { code, stderr } = await run(args);
      expect(code).toBe(exitCodes.usage);
      expect(stderr).toMatch(/^error: /);
    }
  });
});

describe('the configuration', () => {
  test('is refused if the base URL or the key is missing', async () => {
    for (const name of ['PETSTORE_BASE_URL', 'PETSTORE_API_KEY']) {
      const { stderr, code } = await run(['list'], { [name]: '' });
      expect(stderr).toContain(`set ${name}`);
      expect(code).toBe(exitCodes.usage);
    }
  });

  test('prefers --base-url to PETSTORE_BASE_URL', async () => {
    const args = ['get', '1', '--base-url', `${server.baseUrl}/`];
    expect(await run(args, { PETSTORE_BASE_URL: 'http://127.0.0.1:2/v1' })).toMatchObject({ code: 0 });
  });

  test('has no option for the key', async () => {
    const { stdout } = await run(['list', '--help']);
    expect(stdout).toContain('--base-url');
    expect(stdout).not.toContain('key');
  });
});
