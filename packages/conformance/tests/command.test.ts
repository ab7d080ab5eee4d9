import { readFileSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { convertJUnitToCTRFReport } from 'junit-to-ctrf';
import { parse } from 'test-results-parser';
import { describe, expect, test } from 'vitest';
import { titleOf } from '../src/check.ts';
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
const DEPRECATION = 'announces the deprecation';
const OF_GET_PET = [
  '--only',
  'getPet 200 announces',
  '--only',
  'getPet 304 announces',
  '--only',
  'getPet 404 announces',
];

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
    const { lines, stdout, code } = await runAgainst(withoutSunset(), '--only', DEPRECATION);
    const failed = lines.findIndex((line) => line.startsWith('FAIL'));
    expect(lines[failed]).toMatch(
      /^FAIL getPet 200 announces .* \(decision: deprecation.*\): expected Sunset: Thu, 05 Dec .* returned 200 \{"id"/,
    );
    expect(lines[failed + 1]).toMatch(
      /^ {5}curl -i -H "Authorization: Bearer \$PETSTORE_API_KEY" .*\/v1\/pets\/\d+'$/,
    );
    expect(lines[failed + 2]).toMatch(/^ {5}request id \S+$/);
    const [, finding = ''] = stdout.split('\nFinding: ');
    expect(finding).toMatch(/^expected Sunset: Thu, 05 Dec 2030 00:00:00 GMT \(5 checks\)\n {5}curl /);
    expect(finding.match(/^ {5}- getPet \d+ announces/gm)).toHaveLength(5);
    expect(stdout).not.toContain(API_KEY);
    expect(lines.at(-1)).toMatch(/^\d+ passed, 5 failed \(1 finding\)$/);
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

  test('writes a JUnit document that readers of JUnit understand, beside the lines', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('results.xml');
    const known = folder.file('known.txt');
    const [title = ''] = (await runCommand(['--list', ...OF_GET_PET])).lines;
    writeFileSync(known, title);
    const args = ['--junit', file, '--known-failures', known, '--only', DEPRECATION];
    const { lines } = await runAgainst(withoutSunset(), ...args);
    const [, passed] = /^(\d+) passed, 4 failed \(1 finding\), 1 known$/.exec(lines.at(-1) ?? '') ?? [];
    const total = Number(passed) + 5;

    const result = parse({ type: 'junit', files: [file] });
    expect(result).toMatchObject({
      total: total - 1,
      passed: Number(passed),
      failed: 4,
      skipped: 1,
      status: 'FAIL',
    });
    const [suite] = result.suites;
    const failures = suite?.cases.filter(({ status }: { status: string }) => status === 'FAIL') ?? [];
    expect(failures).toHaveLength(4);
    expect(failures[0]?.failure).toMatch(/^expected Sunset: .* but GET \/v1\/pets\/\d+ returned 304/);

    const report = await convertJUnitToCTRFReport(file);
    expect(report?.results.summary).toMatchObject({
      tests: total,
      passed: Number(passed),
      failed: 4,
      skipped: 1,
    });
    const failed = report?.results.tests.find(({ status }) => status === 'failed');
    expect(failed?.trace).toMatch(
      /\ncurl -i -H "Authorization: Bearer \$PETSTORE_API_KEY" .*\nrequest|\ncurl/,
    );
  });

  test('stays green with known failures, and turns red for a failure that is not listed', async () => {
    await using folder = await temporaryFolder();
    const known = folder.file('known.txt');
    const { lines: titles } = await runCommand(['--list', ...OF_GET_PET]);
    const run = () => runAgainst(withoutSunset(), ...OF_GET_PET, '--known-failures', known);

    writeFileSync(known, `# The Sunset is missing.\n\n${titles.join('\n')} # until May\n`);
    expect(await run()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\n0 passed, 0 failed, 3 known\n$/),
    });

    writeFileSync(known, titles.slice(1).join('\r\n'));
    const fourth = await run();
    expect(fourth.lines.filter((line) => line.startsWith('FAIL'))).toEqual([
      expect.stringContaining(`${titles[0]}`),
    ]);
    expect(fourth).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('0 passed, 1 failed (1 finding), 2 known'),
    });
  });

  test('turns red for a known failure that passes, and for a line that names no check', async () => {
    await using folder = await temporaryFolder();
    const known = folder.file('known.txt');
    const { lines: titles } = await runCommand(['--list', ...OF_GET_PET]);
    const run = () => runAgainst(createReferenceServer(), ...OF_GET_PET, '--known-failures', known);

    writeFileSync(known, `${titles[1]}`);
    const repaired = await run();
    expect(repaired.stdout).toContain(`FAIL ${titles[1]}: expected a known failure, but the check passed`);
    expect(repaired).toMatchObject({ code: 1, stdout: expect.stringContaining('2 passed, 1 failed') });

    writeFileSync(known, `${titles[1]}\nno such check\n`);
    expect(await run()).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `error: ${known}:2 names no check: no such check\n`,
    });
  });

  test('waits until the deployment responds, but not longer than --wait', async () => {
    const port = await findFreePort();
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const args = ['--base-url', baseUrl, '--api-key', API_KEY, '--only', 'JSON array of Pet', '--wait'];
    expect(await runCommand([...args, '0.1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be reached'),
    });

    const waiting = runCommand([...args, '60']);
    let responds = false;
    const reference = createReferenceServer();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await using _deployment = await serveFetch(
      async (url, init) => (responds ? reference(url, init) : new Response('Starting.', { status: 503 })),
      port,
    );
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    responds = true;
    expect(await waiting).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\n1 passed, 0 failed\n$/),
    });
  });

  test('prints no control characters that a response contains', async () => {
    const wrong: Fetch = async (url, init) => {
      if (url.includes('?')) return createReferenceServer()(url, init);
      return new Response('"\u001b[31m\u0000<b>"', { headers: { 'content-type': 'application/json' } });
    };
    await using folder = await temporaryFolder();
    const file = folder.file('results.xml');
    const { stdout } = await runAgainst(wrong, '--junit', file, '--only', 'JSON array of Pet');
    for (const text of [stdout, readFileSync(file, 'utf8')]) {
      expect(text).toMatch(/\[31m/);
      expect(text).not.toMatch(/[^\P{Cc}\n\t]/u);
    }
  });

  test('prints annotations and writes the summary of the job with --reporter github', async () => {
    await using folder = await temporaryFolder();
    const page = folder.file('summary.md');
    await using deployment = await serveFetch(withoutSunset());
    const args = ['--base-url', deployment.baseUrl, '--reporter', 'github', '--only', DEPRECATION];
    const environment = { PETSTORE_API_KEY: API_KEY, GITHUB_STEP_SUMMARY: page };
    const { lines } = await runCommand(args, environment);
    const annotation =
      /^::error title=expected Sunset%3A Thu%2C [^:,]+::Finding: .* \(5 checks\)%0A {5}curl /;
    expect(lines.filter((line) => annotation.test(line))).toHaveLength(1);
    const summary = readFileSync(page, 'utf8');
    expect(summary).toMatch(/^### Pet Store: \d+ passed, 5 failed \(1 finding\)\n\n\| operation /);
    expect(summary).toMatch(/^\| getPet \| 200, 304, 401, 404, 412 \| 400, 408, /m);
  });

  test('selects checks by text without regard to case, and takes the key from the environment', async () => {
    await using deployment = await serveFetch(createReferenceServer());
    const args = [
      '--base-url',
      `${deployment.baseUrl}/`,
      '--only',
      'LIMIT IS',
      '--only',
      'cursor is',
      '--skip',
      'repeated',
      '--skip',
      'huge',
    ];
    const { stdout, code } = await runCommand(args, { PETSTORE_API_KEY: API_KEY });
    expect(stdout).toContain(
      'ok   listPets returns 400 when limit is hexadecimal (0x10) (decision: bad limit',
    );
    expect(stdout).toContain('cursor is empty');
    expect(stdout).not.toMatch(/repeated|huge/);
    expect(code).toBe(0);
  });

  test('prints the selected checks with --list, and its version with --version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(await runCommand(['--version'])).toMatchObject({ stdout: `${version}\n`, code: 0 });
    const { lines, code } = await runCommand(['--list']);
    expect(lines).toEqual(checks.map(titleOf));
    expect(code).toBe(0);
    const interfaceList = await runCommand(['--list', '--profile', 'interface']);
    expect(interfaceList.lines).toHaveLength(interfaceChecks.length);
  });
});

const url = ['--base-url', 'http://127.0.0.1:1/v1'];
const key = ['--api-key', 'secret-k'];

test('petstore-conformance fails a check that takes longer than --time-limit', async () => {
  const silent: Fetch = (url, init) =>
    url.includes('?limit=1') ? createReferenceServer()(url, init) : new Promise(() => {});
  const { stdout, code } = await runAgainst(silent, '--only', 'JSON array of Pet', '--time-limit', '0.5');
  expect(stdout).toContain('expected the check to end within 0.5 s');
  expect(code).toBe(1);
});

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
    ['with an unknown reporter', [...url, ...key, '--reporter', 'tap'], 'github'],
    ['with a time limit of 0', [...url, ...key, '--time-limit', '0'], 'seconds'],
    [
      'when --only matches no check',
      [...url, ...key, '--only', 'zebra'],
      'no check has "zebra" in its title',
    ],
    [
      'when --skip matches no check',
      [...url, ...key, '--skip', 'zebra'],
      'no check has "zebra" in its title',
    ],
    [
      'when no check is selected',
      [...url, ...key, '--only', 'limit', '--skip', 'limit'],
      'no check is selected',
    ],
    ['without the list of known failures', [...url, ...key, '--known-failures', 'nowhere'], 'nowhere'],
  ])('and says why %s', async (_when, args, why) => {
    const { stderr, code } = await runCommand([...args]);
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });
});
