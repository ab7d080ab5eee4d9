import { execFileSync, spawnSync } from 'node:child_process';
import { createPetStore, type NewPet } from '@petstore/client';
import { type Pet, parseJson } from '@petstore/contract';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { columns } from '../src/output/table.ts';
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

  test('prints every page with --all, with exact integers', async () => {
    const { stdout } = await run(['list', '--all']);
    expect(stdout).toContain(`"categoryId":${LARGE}`);
    expect(stdout.trimEnd().split('\n').map(parseJson)).toEqual(pets);
    expect(await run(['list', '--status', 'pending'])).toMatchObject({ stdout: '', code: 0 });
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
    const { stdout } = await run(['list', '--limit', '2', '--format', 'ndjson']);
    expect(stdout).toContain(String.raw`Red\u001b[31m\u0085\nname`);
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

describe('on a terminal, pets list', () => {
  /** `script` gives the command a terminal of this width. */
  function runOnTerminal(columns: number, variables: Record<string, string> = {}): string[] {
    const command = `stty cols ${columns}; '${process.execPath}' '${PETS}' list --limit 3`;
    const { PATH } = process.env;
    const env = { PATH, TERM: 'xterm', PETSTORE_API_KEY: FIXED_KEY, ...environment, ...variables };
    const shown = execFileSync('script', ['-qec', command, '/dev/null'], { env, encoding: 'utf8' });
    return shown.split('\r\n');
  }

  test('cuts names to the width of the terminal, and no number', () => {
    // The hint about further pets is longer than the terminal.
    const [header, ...rows] = runOnTerminal(50, { NO_COLOR: '1' }).filter((line) => !line.includes('--all'));
    expect(header).toMatch(/^id +name +categoryId +status/);
    expect(rows.join('\n')).toContain('9007199254740993');
    expect(rows[1]).toMatch(/^2 {3}Red\\u.*… +7/);
    // Columns of later versions of the contract may take more room.
    if (columns.length === 4)
      for (const row of [header, ...rows]) expect(stringWidth(row ?? '')).toBeLessThanOrEqual(50);
  });

  test('colors the status, unless NO_COLOR is set', () => {
    expect(runOnTerminal(100).join('\n')).toContain('\u001b[32mavailable\u001b[39m');
    expect(runOnTerminal(100, { NO_COLOR: '1' }).join('\n')).not.toContain('\u001b[32m');
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
      ['usage', ['import', '/tmp', '--format', 'csv'], {}],
      ['usage', ['list'], { PETSTORE_BASE_URL: server.origin }],
      ['usage', ['list'], { PETSTORE_BASE_URL: 'pst_secret' }],
      ['notFound', ['get', '999999'], {}],
      ['refused', ['add', '\u0007', '--category', '1.5'], { PETSTORE_BASE_URL: 'http://none.invalid/v1' }],
      ['refused', ['add', ' ', '--category', '1'], { PETSTORE_BASE_URL: 'http://none.invalid/v1' }],
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
      expect(stderr).toMatch(/^pets: .+\n$/);
    }
  });

  test.each([401, 403, 404])('is 1 when another service responds %i with a page', async (status) => {
    const page = new Response('<!doctype html>', { status, headers: { 'content-type': 'text/html' } });
    await using other = await serveFetch(async () => page.clone());
    const { code, stderr } = await run(['get', '1'], { PETSTORE_BASE_URL: other.baseUrl });
    expect(code).toBe(exitCodes.failure);
    expect(stderr).toMatch(/^pets: .+\n$/);
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
