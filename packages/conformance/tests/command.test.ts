import { readFileSync } from 'node:fs';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { describe, expect, test } from 'vitest';
import { checks, interfaceChecks, scopeChecks } from '../src/checks/index.ts';
import type { Fetch } from '../src/target.ts';
import { lacksHeader } from './defects.ts';
import {
  API_KEY,
  createReferenceServer,
  READ_API_KEY,
  runAgainst,
  runCommand,
  UNKNOWN_METHOD,
} from './support.ts';

const servedChecks = checks.filter(({ name }) => name !== UNKNOWN_METHOD);
const REMOVAL = 'removal on 5 December 2030';

const withoutSunset = () => lacksHeader('Sunset')(createReferenceServer());

// These tests run one after another, because this process serves the deployments and must respond in time.
describe('petstore-conformance', () => {
  test('prints one line for each check and the counts, and exits 0 when every check passes', async () => {
    const { lines, code, stderr } = await runAgainst(createReferenceServer());
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('ok '))).toHaveLength(servedChecks.length);
    expect(lines.at(-1)).toBe(`${servedChecks.length} passed, 0 failed`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('prints expected and actual response, groups the failures, and exits 1 when a check fails', async () => {
    const { lines, stdout, code } = await runAgainst(withoutSunset(), '--only', REMOVAL);
    expect(lines[0]).toMatch(
      /^FAIL getPet announces .* \(decision: deprecation.*\): expected Sunset: Thu, 05 Dec .* returned 200 \{"id"/,
    );
    expect(lines[1]).toMatch(
      /^ {5}curl -i -H "Authorization: Bearer \$PETSTORE_API_KEY" .*\/v1\/pets\/\d+'$/,
    );
    expect(lines[2]).toMatch(/^ {5}request id \S+$/);
    const [, finding = ''] = stdout.split('\nFinding: ');
    expect(finding).toMatch(/^expected Sunset: Thu, 05 Dec 2030 00:00:00 GMT \(4 checks\)\n {5}curl /);
    expect(finding.match(/^ {5}- getPet announces/gm)).toHaveLength(4);
    expect(stdout).not.toContain(API_KEY);
    expect(lines.at(-1)).toBe('0 passed, 4 failed (1 finding)');
    expect(code).toBe(1);
  });

  test('runs only read-only checks with --read-only, and scope checks with --read-api-key', async () => {
    const args = ['--read-only', '--read-api-key', READ_API_KEY];
    const { lines, code } = await runAgainst(createReferenceServer(), ...args);
    const count = [...servedChecks, ...scopeChecks].filter(({ readOnly }) => readOnly).length;
    expect(lines.at(-1)).toBe(`${count} passed, 0 failed`);
    expect(code).toBe(0);
  });

  test('leaves out the scope checks when PETSTORE_READ_API_KEY is empty', async () => {
    const { lines } = await runCommand(['--list'], { PETSTORE_READ_API_KEY: '' });
    expect(lines).toHaveLength(checks.length);
  });

  test('prints a JUnit document with --reporter junit, and the counts beside it', async () => {
    const args = ['--reporter', 'junit', '--only', 'getPet'];
    const { stdout, stderr, code } = await runAgainst(withoutSunset(), ...args);
    expect(stdout).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>\n<testsuites>\n.*<\/testsuites>\n$/s);
    const [failed, all] = [/<failure .*?curl -i/gs, /<testcase /g].map((tag) => stdout.match(tag)?.length);
    expect(failed).toBe(4);
    expect(stderr).toBe(`${Number(all) - 4} passed, 4 failed (1 finding)\n`);
    expect(code).toBe(1);
  });

  test('prints no control characters that a response contains', async () => {
    const wrong: Fetch = async (url, init) => {
      if (url.includes('?')) return createReferenceServer()(url, init);
      return new Response('"\u001b[31m\u0000<b>"', { headers: { 'content-type': 'application/json' } });
    };
    for (const reporter of ['lines', 'junit']) {
      const { stdout } = await runAgainst(wrong, '--reporter', reporter, '--only', 'JSON array of Pet');
      expect(stdout).toMatch(/\[31m/);
      expect(stdout).not.toMatch(/[^\P{Cc}\n\t]/u);
    }
  });

  test('prints an annotation for each finding with --reporter github', async () => {
    const { lines } = await runAgainst(withoutSunset(), '--reporter', 'github', '--only', REMOVAL);
    const annotation =
      /^::error title=expected Sunset%3A Thu%2C [^:,]+::Finding: .* \(4 checks\)%0A {5}curl /;
    expect(lines.filter((line) => annotation.test(line))).toHaveLength(1);
  });

  test('selects checks by text without regard to case, and takes the key from the environment', async () => {
    await using deployment = await serveFetch(createReferenceServer());
    const args = ['--base-url', `${deployment.baseUrl}/`, '--only', 'LIMIT IS', '--skip', 'repeated'];
    const { stdout, code } = await runCommand(args, { PETSTORE_API_KEY: API_KEY });
    expect(stdout).toContain(
      'ok   listPets returns 400 when limit is hexadecimal (0x10) (decision: bad limit',
    );
    expect(stdout).not.toContain('repeated');
    expect(code).toBe(0);
  });

  test('prints the selected checks with --list, and its version with --version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(await runCommand(['--version'])).toMatchObject({ stdout: `${version}\n`, code: 0 });
    const { lines, code } = await runCommand(['--list']);
    expect(lines).toEqual(checks.map(({ name, cites }) => `${name} (${cites})`));
    expect(code).toBe(0);
    const interfaceList = await runCommand(['--list', '--profile', 'interface']);
    expect(interfaceList.lines).toHaveLength(interfaceChecks.length);
  });
});

const url = ['--base-url', 'http://127.0.0.1:1/v1'];
const key = ['--api-key', 'secret-k'];

describe('petstore-conformance without a verdict exits 2', () => {
  const respond =
    (status: number): Fetch =>
    async () =>
      new Response('<!doctype html>', { status, headers: { 'content-type': 'text/html' } });

  const reference = createReferenceServer();

  test.each([
    ['the target refuses the key', reference, '/v1', 'secret-k', 'refuses the API key: '],
    ['the base URL has no prefix', reference, '', API_KEY, 'has no pets at its base URL, '],
    ['the base URL has a wrong path', reference, '/api', API_KEY, 'has no pets at its base URL, '],
    ['the target returns an HTML page', respond(200), '/v1', API_KEY, 'has no pets at its base URL, '],
    ['a gateway has no service behind it', respond(502), '/v1', API_KEY, 'is not available: '],
  ])('with one line when %s', async (_when, fetch, path, apiKey, why) => {
    await using deployment = await serveFetch(fetch);
    const result = await runCommand(['--base-url', deployment.origin + path, '--api-key', apiKey]);
    expect(result.stderr).toMatch(new RegExp(`^error: The target ${why}.*\n$`));
    expect(result.stderr).not.toContain('secret');
    expect(result).toMatchObject({ stdout: '', code: 2 });
  });

  test('with one line that asks for the scheme when the target does not speak https', async () => {
    await using deployment = await serveFetch(createReferenceServer());
    const baseUrl = deployment.baseUrl.replace('http:', 'https:');
    const { stderr, code } = await runCommand(['--base-url', baseUrl, ...key]);
    expect(stderr).toMatch(/^error: The target cannot be reached by https; is it http\?: .*\n$/);
    expect(code).toBe(2);
  });

  test('and names the check when the target stops in the middle of a run', async () => {
    const reference = createReferenceServer();
    let served = 0;
    await using deployment = await serveFetch(async (url, init) => {
      served += 1;
      if (served > 60) void deployment[Symbol.asyncDispose]();
      return reference(url, init);
    });
    const args = ['--base-url', deployment.baseUrl, '--api-key', API_KEY];
    const { lines, stderr, code } = await runCommand(args);
    expect(stderr).toMatch(
      /^error: The target stopped responding during the check ".+": .*expected a response, got .*\n$/,
    );
    expect(lines.at(-1)).toMatch(/^\d+ passed, 1 failed \(1 finding\), \d+ not run$/);
    expect(code).toBe(2);
  });

  test('and counts a check as not run if the total time limit interrupts it', async () => {
    const silent: Fetch = (url, init) =>
      url.includes('?limit=1') ? createReferenceServer()(url, init) : new Promise(() => {});
    const only = ['--only', 'interface: listPets', '--total-time-limit', '1'];
    const { stdout, stderr, code } = await runAgainst(silent, '--reporter', 'lines', ...only);
    expect(stdout).toMatch(/^0 passed, 0 failed, \d+ not run\n$/);
    expect(stderr).toBe('error: The checks took more than 1 s\n');
    expect(code).toBe(2);
    const one = ['--only', 'listPets returns a JSON array of Pet', '--time-limit', '0.5'];
    const each = await runAgainst(silent, ...one);
    expect(each.stdout).toContain('test timed out after 500ms');
    expect(each.code).toBe(1);
  });

  test('and names the variable of a malformed key, without printing the key', async () => {
    for (const name of ['PETSTORE_API_KEY', 'PETSTORE_READ_API_KEY']) {
      const environment = { PETSTORE_API_KEY: 'good', [name]: 'Bearer secret' };
      const { stdout, stderr, code } = await runCommand([...url], environment);
      expect(stderr).toMatch(new RegExp(`^error: ${name} begins with "Bearer".*\n$`));
      expect(stdout + stderr).not.toContain('secret');
      expect(code).toBe(2);
    }
  });

  test.each([
    ['without a base URL', key, '--base-url'],
    ['without a key', url, 'there is no API key: set PETSTORE_API_KEY'],
    ['with a key that has a line break', [...url, '--api-key', 'k\n'], 'line break'],
    ['with a key that a header cannot have', [...url, '--api-key', 'ké'], 'visible ASCII'],
    ['with a base URL without a scheme', ['--base-url', 'localhost:3000/v1', ...key], 'begin with http://'],
    ['with the URL of a resource', ['--base-url', 'http://a.test/v1/pets', ...key], 'http://a.test/v1'],
    ['with a query in the URL', ['--base-url', 'http://a.test/v1?limit=1', ...key], 'no query'],
    ['for a version that it does not know', ['--base-url', 'http://127.0.0.1:1/v9', ...key], '/v9'],
    ['with an unknown reporter', [...url, ...key, '--reporter', 'tap'], 'junit'],
    ['with a time limit of 0', [...url, ...key, '--time-limit', '0'], 'seconds'],
    ['when no check is selected', [...url, ...key, '--only', 'zebra'], 'no check'],
  ])('and says why %s', async (_when, args, why) => {
    const { stderr, code } = await runCommand([...args]);
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });
});
