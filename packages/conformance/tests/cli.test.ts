import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { describe, expect, test } from 'vitest';
import { checks, wireChecks } from '../src/checks/index.ts';
import type { Fetch } from '../src/target.ts';
import { changesHeader } from './defects/defect.ts';
import { API_KEY, createReferenceServer, READ_API_KEY } from './reference.ts';

const everyCheck = [...checks, ...wireChecks];

// Node's HTTP server refuses an unknown method itself, before the reference sees it.
const UNKNOWN_METHOD = 'A valid method that no service knows returns 501';
const servedChecks = everyCheck.filter(({ name }) => name !== UNKNOWN_METHOD);
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

async function run(args: string[], environment: Record<string, string> = {}) {
  const { PATH } = process.env;
  const env = { PATH, ...environment };
  const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code, lines: stdout.trimEnd().split('\n') };
}

/** Runs the command against a served `fetch`. */
async function runAgainst(fetch: Fetch, ...args: string[]) {
  await using deployment = await serveFetch(fetch);
  return await run([
    '--base-url',
    deployment.baseUrl,
    '--api-key',
    API_KEY,
    '--skip',
    UNKNOWN_METHOD,
    ...args,
  ]);
}

/** Reads XML as far as the report uses it. @throws when elements or entities are not well-formed */
function elementsOf(xml: string): string[] {
  const open: string[] = [];
  const all: string[] = [];
  const rest = xml
    .replace(/^<\?xml version="1.0" encoding="UTF-8"\?>/, '')
    .replaceAll(
      /<(\/?)(\w+)((?: \w+="(?:[^<>&"]|&(?:lt|gt|amp|quot);)*")*)(\/?)>/g,
      (_tag, close, name, _a, empty) => {
        if (close) expect(open.pop()).toBe(name);
        else all.push(name);
        if (!close && !empty) open.push(name);
        return '';
      },
    );
  expect(rest.trim()).toBe('');
  expect(open).toEqual([]);
  return all;
}

const withoutSunset = () => changesHeader('Sunset')(createReferenceServer());

/** Stops serving once it has responded to this many requests. */
async function serveUntil(requests: number) {
  const reference = createReferenceServer();
  let served = 0;
  const deployment = await serveFetch(async (url, init) => {
    served += 1;
    if (served > requests) void deployment[Symbol.asyncDispose]();
    return reference(url, init);
  });
  return deployment;
}

// One after another: the deployment is served by this process, which must not be kept from responding.
describe('petstore-conformance', () => {
  test('prints one line for each check and the counts, and exits 0 when every check passes', async () => {
    const { lines, code, stderr } = await runAgainst(createReferenceServer());
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('ok '))).toHaveLength(servedChecks.length);
    expect(lines.at(-1)).toBe(`${servedChecks.length} passed, 0 failed`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('says what was expected and what came, repeats the failures, and exits 1 when a check fails', async () => {
    const { lines, stdout, code } = await runAgainst(withoutSunset(), '--only', 'removal on 5 December 2030');
    expect(lines[0]).toMatch(
      /^FAIL getPet announces .* \(interface: Versioning; RFC 8594\): expected Sunset: Thu, 05 Dec .* returned 200 \{"id"/,
    );
    expect(stdout.split('\nFailures:\n')[1]).toContain(lines[0]);
    expect(lines.at(-1)).toBe('0 passed, 4 failed');
    expect(code).toBe(1);
  });

  test('runs only the checks that leave the store as it is with --read-only', async () => {
    const methods = new Set<string | undefined>();
    const reference = createReferenceServer();
    const watched: Fetch = async (url, init) => {
      const response = await reference(url, init);
      if (response.ok) methods.add(init.method);
      return response;
    };
    const { lines, code } = await runAgainst(watched, '--read-only');
    const count = servedChecks.filter(({ readOnly }) => readOnly).length;
    expect(lines.at(-1)).toBe(`${count} passed, 0 failed`);
    expect(code).toBe(0);
    expect([...methods].toSorted()).toEqual(['GET', 'HEAD']);
  });

  test('checks scopes with a key that may only read, and leaves them out without one', async () => {
    const scopes = ['--read-only', '--only', 'may only read'];
    const withKey = await runAgainst(createReferenceServer(), ...scopes, '--read-api-key', READ_API_KEY);
    expect(withKey.lines.at(-1)).toBe('2 passed, 0 failed');
    const withWriteKey = await runAgainst(createReferenceServer(), ...scopes, '--read-api-key', API_KEY);
    expect(withWriteKey).toMatchObject({ code: 1, lines: expect.arrayContaining(['1 passed, 1 failed']) });
    const without = await runAgainst(createReferenceServer(), ...scopes);
    expect(without).toMatchObject({ code: 2, stderr: 'error: no check is selected\n' });
  });

  test('prints a well-formed JUnit document with --reporter junit, and the counts beside it', async () => {
    const args = ['--reporter', 'junit', '--only', 'getPet'];
    const { stdout, stderr, code } = await runAgainst(withoutSunset(), ...args);
    const elements = elementsOf(stdout);
    const [failed, all] = ['failure', 'testcase'].map(
      (name) => elements.filter((element) => element === name).length,
    );
    expect(failed).toBe(4);
    expect(stderr).toBe(`${Number(all) - 4} passed, 4 failed\n`);
    expect(code).toBe(1);
  });

  test('prints an annotation for each failure with --reporter github', async () => {
    const args = ['--reporter', 'github', '--only', 'removal on 5 December 2030'];
    const { lines } = await runAgainst(withoutSunset(), ...args);
    expect(lines.filter((line) => line.startsWith('::error title=getPet announces'))).toHaveLength(4);
  });

  test('selects checks by text, and takes the key from the environment', async () => {
    await using deployment = await serveFetch(createReferenceServer());
    const args = ['--base-url', `${deployment.baseUrl}/`, '--only', '400 WHEN LIMIT', '--skip', 'repeated'];
    const { lines, code } = await run(args, { PETSTORE_API_KEY: API_KEY });
    expect(lines).toContain(
      'ok   listPets returns 400 when limit is hexadecimal (0x10) (decision: bad limit, status or cursor)',
    );
    expect(lines.join()).not.toContain('repeated');
    expect(code).toBe(0);
  });

  test('prints the selected checks with --list and sends nothing', async () => {
    const { lines, code } = await run(['--list']);
    expect(lines).toEqual(everyCheck.map(({ name, cites }) => `${name} (${cites})`));
    expect(code).toBe(0);
    const readOnly = await run(['--list', '--read-only', '--only', 'RFC 8594']);
    expect(readOnly.lines).toHaveLength(2);
  });

  test('prints the version of its package with --version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(await run(['--version'])).toMatchObject({ stdout: `${version}\n`, code: 0 });
  });

  test('exits 2 with one line when the target cannot be reached, without showing the key', async () => {
    const deployment = await serveFetch(createReferenceServer());
    await deployment[Symbol.asyncDispose]();
    const { stdout, stderr, code } = await run(['--base-url', deployment.baseUrl, '--api-key', 'secret']);
    expect(stderr).toMatch(/^error: The target cannot be reached: .*ECONNREFUSED.*\n$/);
    expect(stdout + stderr).not.toContain('secret');
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  });

  test('exits 2 with one line when the target refuses the key', async () => {
    await using deployment = await serveFetch(createReferenceServer());
    const { stdout, stderr, code } = await run(['--base-url', deployment.baseUrl, '--api-key', 'secret']);
    expect(stderr).toMatch(/^error: The target refuses the API key: .*invalid_api_key.*\n$/);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  });

  test('exits 2 with one line when the base URL lacks the version prefix', async () => {
    await using deployment = await serveFetch(createReferenceServer());
    const baseUrl = deployment.baseUrl.replace('/v1', '');
    const { stdout, stderr, code } = await run(['--base-url', baseUrl, '--api-key', API_KEY]);
    expect(stderr).toMatch(/^error: The target has no pets at its base URL, .*path_not_found.*\n$/);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  });

  test('exits 2 and names the check when the target stops in the middle of a run', async () => {
    await using deployment = await serveUntil(60);
    const { lines, stderr, code } = await run(['--base-url', deployment.baseUrl, '--api-key', API_KEY]);
    expect(stderr).toMatch(
      /^error: The target stopped responding during the check ".+": .*ECONNREFUSED.*\n$/,
    );
    expect(lines.at(-1)).toMatch(/^\d+ passed, 1 failed, \d+ not run$/);
    expect(code).toBe(2);
  });

  test('ends within the time limit when the target responds without end', async () => {
    const endless: Fetch = async (url, init) => {
      if (url.includes('?limit=1')) return createReferenceServer()(url, init);
      return new Response(ReadableStream.from(drip()), { headers: { 'content-type': 'application/json' } });
    };
    const { stderr, code } = await runAgainst(endless, '--total-time-limit', '4', '--time-limit', '1');
    expect(stderr).toContain('error: The checks took more than 4 s');
    expect(code).toBe(2);
  });

  const url = ['--base-url', 'http://127.0.0.1:1/v1'];
  const key = ['--api-key', 'k'];
  test.each([
    ['without a base URL', key, '--base-url'],
    ['without a key', url, '--api-key'],
    ['with a base URL that is none', ['--base-url', 'petstore', ...key], 'http or https'],
    ['for a version that it does not know', ['--base-url', 'http://127.0.0.1:1/v9', ...key], '/v9'],
    ['with an unknown option', [...url, ...key, '--fast'], '--fast'],
    ['with an unknown reporter', [...url, ...key, '--reporter', 'tap'], 'junit'],
    ['with a time limit that is none', [...url, ...key, '--time-limit', '0'], 'seconds'],
    ['when no check is selected', [...url, ...key, '--only', 'zebra'], 'no check'],
  ])('exits 2 and says why %s', async (_when, args, why) => {
    const { stderr, code } = await run([...args]);
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });
});

/** A byte now and then, for ever. */
async function* drip() {
  for (;;) {
    yield new Uint8Array([0x20]);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
