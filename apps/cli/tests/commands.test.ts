import { readFileSync } from 'node:fs';
import type { Fetch, NewPet } from '@petstore/client';
import { pageSize, parseJson } from '@petstore/contract';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { linesOf, PETS_COMMAND, READ_API_KEY, startMemoryService } from './support.ts';

const LARGE = 9007199254740993n;

const service = await startMemoryService({
  pets: [
    { name: 'Ñandu\u0301 🦤', categoryId: LARGE, status: 'available' },
    { name: 'Red\u001b[31m\u0085\u202e\u2066\nname', categoryId: 7 },
    ...Array<NewPet>(pageSize.maximum + 1).fill({ name: 'pet', categoryId: 1, status: 'sold' }),
  ],
});
afterAll(() => service[Symbol.asyncDispose]());

/** A service that does not respond. */
const AWAY = { PETSTORE_BASE_URL: 'http://127.0.0.1:2/v1' };

describe('pets list', () => {
  test('prints the first page as lines of JSON if standard output is not a terminal', async () => {
    const { stdout, stderr, code } = await service.run(['list']);
    expect(linesOf(stdout).map(parseJson)).toEqual(service.memory.pets.slice(0, pageSize.default));
    expect(stderr).toBe('There are more than these 20 pets: use --limit or --all\n');
    expect(code).toBe(0);
  });

  test('prints every page with --all, with exact integers', async () => {
    const { stdout } = await service.run(['list', '--all']);
    expect(linesOf(stdout).map(parseJson)).toEqual(service.memory.pets);
  });

  test('prints at most as many pets of a status as --limit allows, and says if there are more', async () => {
    const sold = service.memory.pets.filter(({ status }) => status === 'sold');
    for (const limit of [sold.length - 1, sold.length, Number.MAX_SAFE_INTEGER]) {
      const { stdout, stderr } = await service.run(['list', '--status', 'sold', '--limit', `${limit}`]);
      expect(linesOf(stdout).map(parseJson)).toEqual(sold.slice(0, limit));
      expect(stderr.includes('--all')).toBe(limit < sold.length);
    }
    expect(await service.run(['list', '--status', 'pending'])).toMatchObject({ stdout: '', code: 0 });
  });

  test('prints JSON without a character that a terminal would obey', async () => {
    const { stdout } = await service.run(['list', '--limit', '2', '--format', 'ndjson']);
    expect(stdout).toContain(String.raw`Red\u001b[31m\u0085\u202e\u2066\nname`);
  });

  test('prints a table that shows control characters instead of obeying them', async () => {
    const { stdout } = await service.run(['list', '--format', 'table', '--limit', '3']);
    // A later contract may add columns to the right of these 72 characters.
    expect(linesOf(stdout).map((line) => line.slice(0, 72).trimEnd())).toEqual([
      'id  name                                   categoryId        status',
      '1   Ñandu\u0301 🦤                               9007199254740993  available',
      '2   Red\\u001b[31m\\u0085\\u202e\\u2066\\nname  7',
      '3   pet                                    1                 sold',
    ]);
  });

  test('cuts names, but no numbers, to the width of a terminal, and writes no escape sequence with NO_COLOR or to a file', async () => {
    const shown = await service.runOnTerminal('list --limit 3 2>notes', { COLUMNS: '50', NO_COLOR: '1' });
    expect(readFileSync(service.folder.file('notes'), 'utf8')).toMatch(/^There are more .*\n$/);
    expect(shown).not.toContain('\u001b');
    const [header, ...rows] = shown.split('\r\n');
    expect(header).toMatch(/^id +name +categoryId +status/);
    expect(rows.join('\n')).toContain('9007199254740993');
    expect(rows[1]).toMatch(/^2 {3}Red\\u.*… {2}7/);
    expect(rows[1]?.indexOf('7')).toBe(header?.indexOf('categoryId'));
    // Only columns that a later contract adds may be beyond the width of the terminal.
    expect(header?.indexOf('status')).toBeLessThanOrEqual(50 - 'available'.length);
  });

  // Measuring the beginning of a name again at each character would take 25 s for each of both names, instead of 0.4 s.
  test('cuts names with thousands of zero-width characters quickly', { timeout: 40_000 }, async () => {
    const name = '\u200b'.repeat(21_000) + 'x'.repeat(100);
    await using other = await startMemoryService({ pets: Array(2).fill({ name, categoryId: 1 }) });
    expect(await other.runOnTerminal('list', { COLUMNS: '50' })).toMatch(/x… /);
  });

  test('colors the status on a terminal, and cuts no name if the width of the terminal is unknown', async () => {
    const shown = await service.runOnTerminal('list', { COLUMNS: '0' });
    for (const text of ['Ñandu\u0301 🦤 ', '\u001b[32mavailable\u001b[39m']) expect(shown).toContain(text);
  });
});

test('pets add adds a pet once with the same --idempotency-key, and prints it with exact integers', async () => {
  const args = ['add', 'Once', '--category', `${-LARGE}`, '--idempotency-key', 'order-17'];
  const { stdout } = await service.run(args);
  expect(stdout).toContain('"name":"Once","categoryId":-9007199254740993');
  expect(await service.run(args)).toMatchObject({ stdout });
});

describe('the exit code of a command that fails', () => {
  test.each<[keyof typeof exitCodes, string, Record<string, string>?]>([
    ['usage', 'get x'],
    ['usage', 'list --base-url '],
    ['usage', 'import missing\u001b[2J.csv'],
    ['usage', 'import /tmp --format csv'],
    ['usage', 'import animals.txt'],
    ['usage', 'export --output /tmp --format csv'],
    ['usage', 'export --output - --format csv'],
    ['usage', 'import - --format csv --errors /none/refused.csv'],
    ['usage', 'import - --format csv --errors -'],
    ['usage', 'list', { PETSTORE_BASE_URL: 'pst_secret' }],
    ['usage', 'list', { PETSTORE_BASE_URL: new URL(service.baseUrl).origin }],
    ['usage', 'list --limit 0'],
    ['usage', 'list --all --limit 5'],
    ['usage', 'list --status lost'],
    ['usage', 'lists'],
    ['usage', 'list --limt 0'],
    ['usage', 'add Rex --category 1 --idempotency-key Ñandú'],
    ['notFound', 'get 999999'],
    // These pets are refused before a request is sent.
    ['refused', 'add \u0007 --category 1.5', AWAY],
    ['refused', 'add \t --category 1', AWAY],
    ['refused', 'add caf\ufffd --category 1', AWAY],
    ['unauthorized', 'list', { PETSTORE_API_KEY: 'pst_wrong' }],
    ['unauthorized', 'add Rex --category 1', { PETSTORE_API_KEY: READ_API_KEY }],
    ['unavailable', 'list', AWAY],
  ])('is "%s" for "pets %s", which prints one line without a key', async (kind, args, variables) => {
    const { code, stdout, stderr } = await service.run(args.split(' '), variables);
    expect(code).toBe(exitCodes[kind]);
    expect(stderr).toMatch(/^pets: \P{Cc}+\n$/u);
    expect(stdout + stderr).not.toMatch(/pst_/);
  });

  test.each([
    [exitCodes.failure, 'list >/dev/full', /^pets: Standard output cannot be written: ENOSPC.*\n$/],
    [exitCodes.notFound, 'get 999999 2>/dev/full', /^$/],
  ])('is %i for "pets %s", which cannot write', async (code, command, message) => {
    const output = expect.stringMatching(message);
    expect(await service.runInShell(`${PETS_COMMAND} ${command}`)).toEqual({ code, output });
  });

  test('is "unavailable" after three attempts without a response', async () => {
    const fail = vi.fn<Fetch>().mockRejectedValue(new Error('The service is away'));
    await using away = await startMemoryService({ wrap: () => fail });
    expect((await away.run(['list'])).code).toBe(exitCodes.unavailable);
    expect(fail).toHaveBeenCalledTimes(3);
  });

  test.each([
    ['failure', 401, '<!doctype html>'],
    ['failure', 403, '<!doctype html>'],
    ['failure', 404, '<!doctype html>'],
    // A later release may add codes.
    ['unauthorized', 403, '{"code":"key_suspended","message":"Ask.","status":403}'],
  ] as const)('is "%s" when the response has the status %i and the body %s', async (kind, status, body) => {
    await using other = await startMemoryService({ wrap: () => async () => new Response(body, { status }) });
    const stderr = expect.stringMatching(/^pets: .+\n$/);
    expect(await other.run(['get', '1'])).toMatchObject({ code: exitCodes[kind], stderr });
  });
});

test.each(['PETSTORE_BASE_URL', 'PETSTORE_API_KEY'])('a command requires %s', async (name) => {
  const stderr = expect.stringContaining(`set ${name}`);
  expect(await service.run(['list'], { [name]: '' })).toMatchObject({ code: exitCodes.usage, stderr });
});

test('a command prefers --base-url to PETSTORE_BASE_URL', async () => {
  expect((await service.run(['get', '1', '--base-url', `${service.baseUrl}/`], AWAY)).code).toBe(0);
});
