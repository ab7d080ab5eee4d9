import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '@petstore/test-support/files';
import { startProgram } from '@petstore/test-support/programs';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { convertJUnitToCTRFReport } from 'junit-to-ctrf';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { titleOf } from '../src/check.ts';
import { checks, interfaceChecks, scopeChecks } from '../src/checks/index.ts';
import { findTargetFault } from '../src/command/probe-target.ts';
import type { Fetch } from '../src/http/target.ts';
import { changesResponse } from './defects.ts';
import { API_KEY, createReferenceServer, READ_API_KEY, runAgainst, runCommand, targetOf } from './support.ts';

const COMMAND = `${import.meta.dirname}/../dist/cli.js`;
const CHECK_COUNT = checks.length + scopeChecks.length;

/** Without Sunset, five of these checks fail: getPet with 200, 304, 401, 404 and 412. */
const DEPRECATION = ['--only', 'announces the deprecation'];
/** Three of those five. */
const OF_GET_PET = [200, 304, 404].flatMap((status) => ['--only', `getPet ${status} announces`]);
/** This check requests `/pets`, and the probe before it `/pets?limit=1`. */
const ONE_CHECK = ['--only', 'JSON array of Pet'];
const isProbe = (url: string) => url.endsWith('/pets?limit=1');
const limited = (seconds: string) => new Response('', { status: 429, headers: { 'retry-after': seconds } });

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const [junit, known] = [folder.file('results.xml'), folder.file('known.txt')];
// No test reads the JUnit document of the one before.
afterEach(() => rmSync(junit, { force: true }));

const withoutSunset = () =>
  changesResponse(({ headers }, { url }) => {
    if (/\/pets\/\d/.test(url.pathname)) headers.delete('sunset');
  })(createReferenceServer());

// These tests run one after another, because this process serves the deployments and must respond in time.
describe('petstore-conformance', () => {
  test('prints one line for each check and the counts, and exits 0 when every check passes', async () => {
    const reference = createReferenceServer();
    // After its probe, the command gets 429 and waits. Only the timer keeps the process alive.
    const first = [reference, async () => limited('1')];
    await using deployment = await serveFetch((url, init) => (first.shift() ?? reference)(url, init));
    const environment = { PETSTORE_BASE_URL: `${deployment.baseUrl}/`, PETSTORE_API_KEY: API_KEY };
    // Other tests run all checks. The checks of getPet read, write, and cite the interface document and decisions.
    const { stdout, stderr, code } = await startProgram([COMMAND, '--only', 'getPet'], { environment }).ended;
    const lines = stdout.trimEnd().split('\n');
    const count = checks.filter((check) => titleOf(check).includes('getPet')).length;
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('ok '))).toHaveLength(count);
    expect(lines.at(-1)).toBe(`${count} passed, 0 failed`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('prints expected and actual response, groups the failures, and exits 1 when a check fails', async () => {
    const { lines, stdout, code } = await runAgainst(withoutSunset(), ...DEPRECATION);
    const failed = lines.findIndex((line) => line.startsWith('FAIL'));
    expect(lines.slice(failed, failed + 3)).toEqual([
      expect.stringMatching(
        /^FAIL getPet 200 announces .* \(decision: deprecation.*\): expected Sunset: .* returned 200 \{"id"/,
      ),
      expect.stringMatching(/^ {5}curl -i -H "Authorization: Bearer \$PETSTORE_API_KEY" .*\/v1\/pets\/\d+'$/),
      expect.stringMatching(/^ {5}request id \S+$/),
    ]);
    const [, finding = ''] = stdout.split('\nFinding: ');
    const start = /^expected Sunset: Thu, 05 Dec 2030 00:00:00 GMT \(5 checks\)\n {5}curl .*\n {5}200 \{"id"/;
    expect(finding).toMatch(start);
    expect(finding.match(/^ {5}- getPet \d+ announces/gm)).toHaveLength(5);
    expect(stdout).not.toContain(API_KEY);
    expect([lines.at(-1), code]).toEqual([expect.stringMatching(/^\d+ passed, 5 failed \(1 finding\)$/), 1]);
  });

  test('runs only read-only checks with --read-only, and scope checks with --read-api-key', async () => {
    const args = ['--read-only', '--read-api-key', READ_API_KEY, '--only', 'with a key'];
    const { lines, code } = await runAgainst(createReferenceServer(), ...args);
    const selected = [...checks, ...scopeChecks].filter(({ name }) => name.includes('with a key'));
    const count = selected.filter(({ readOnly }) => readOnly).length;
    expect([lines.at(-1), code]).toEqual([`${count} passed, 0 failed`, 0]);
  });

  test('writes a JUnit document that a reader of JUnit understands, beside the lines', async () => {
    writeFileSync(known, `${(await runCommand(['--list', ...OF_GET_PET])).lines[0]}`);
    const args = ['--junit', junit, '--known-failures', known, ...DEPRECATION];
    const service = withoutSunset();
    const slowService: Fetch = (...request) => setTimeout(2).then(() => service(...request));
    const start = performance.now();
    const { lines } = await runAgainst(slowService, ...args);
    const milliseconds = performance.now() - start;
    const passed = Number.parseInt(lines.at(-1) ?? '', 10);
    expect(lines.at(-1)).toBe(`${passed} passed, 4 failed (1 finding), 1 known`);

    const { tests, summary } = (await convertJUnitToCTRFReport(junit))?.results ?? { tests: [] };
    expect(summary).toMatchObject({ tests: passed + 4 + 1, passed, failed: 4, skipped: 1 });
    const suite = /="petstore-conformance" tests="\d+" failures="4" errors="0" skipped="1" time="(.+?)"/;
    const [, seconds] = suite.exec(readFileSync(junit, 'utf8')) ?? [];
    const slowest = Math.max(...tests.map(({ duration }) => duration));
    expect(slowest, 'milliseconds of the slowest check').toBeGreaterThan(0);
    expect(Number(seconds) * 1_000).toSatisfy((sum: number) => sum > slowest && sum <= milliseconds + 1);
    const failed = tests.find(({ status }) => status === 'failed');
    expect(failed?.message).toMatch(/^expected Sunset: .* but GET \/v1\/pets\/\d+ returned 304/);
    expect(failed?.trace).toMatch(/\ncurl -i -H "Authorization: Bearer \$PETSTORE_API_KEY" /);
  });

  test('exits 0 only if exactly the checks of --known-failures fail', async () => {
    const { lines: titles } = await runCommand(['--list', ...OF_GET_PET]);
    const run = (deployment: Fetch, list: string) => {
      writeFileSync(known, list);
      return runAgainst(deployment, ...OF_GET_PET, '--known-failures', known);
    };

    const list = `# The Sunset is missing.\n\n${titles.join('\n')} # until May\n`;
    const green = await run(withoutSunset(), list);
    expect([green.lines.at(-1), green.code]).toEqual(['0 passed, 0 failed, 3 known', 0]);

    const another = await run(withoutSunset(), titles.slice(1).join('\r\n'));
    expect(another.stdout).toContain(`FAIL ${titles[0]}: expected Sunset`);
    expect([another.lines.at(-1), another.code]).toEqual(['0 passed, 1 failed (1 finding), 2 known', 1]);

    const repaired = await run(createReferenceServer(), `${titles[1]}`);
    expect(repaired.stdout).toContain(`FAIL ${titles[1]}: expected a known failure, but the check passed`);
    expect([repaired.lines.at(-1), repaired.code]).toEqual(['2 passed, 1 failed (1 finding)', 1]);

    // The first check fails as listed. The probe after it gets the 404, which ends the run.
    const probe = [createReferenceServer()];
    const gone: Fetch = async (...sent) => probe.pop()?.(...sent) ?? new Response('', { status: 404 });
    expect(await run(gone, list)).toMatchObject({ stdout: expect.stringContaining(' 2 not run'), code: 2 });

    const { stderr, code } = await run(createReferenceServer(), 'no such\tcheck\n');
    expect(stderr).toMatch(/^petstore-conformance: line 1 of .* names no check: no such check\n$/);
    expect(code).toBe(2);
  });

  test('waits while the deployment starts, but not longer than --wait, and while it restarts', async () => {
    const closesConnection = vi.fn<Fetch>(() => Promise.reject(new Error('No response')));
    const refused = await runAgainst(closesConnection, ...ONE_CHECK, '--wait', '0.4'); // Less than POLL_MS.
    expect(refused).toMatchObject({ stderr: expect.stringContaining('cannot be reached'), code: 2 });
    expect(closesConnection).toHaveBeenCalledTimes(1);

    vi.useFakeTimers({ toFake: ['performance'] });
    let count = 0;
    const away: Fetch = async () => {
      vi.advanceTimersByTime(1_200); // Only these responses take time.
      return new Response('Starting.', { status: 502 + (count++ % 3) });
    };
    const run = (...first: Fetch[]) =>
      runAgainst((...sent) => (first.shift() ?? createReferenceServer())(...sent), ...ONE_CHECK, '--wait=60');
    const started = await run(closesConnection, away, away, away, away);
    expect([started.lines.at(-1), started.code]).toEqual(['1 passed, 0 failed', 0]);
    // The check fails. Two probes (2.4 s) and POLL_MS (0.5 s) fit into RESTART_SECONDS (3 s). The third succeeds.
    const restarted = await run(createReferenceServer(), away, away, away);
    expect([restarted.lines.at(-1), restarted.code]).toEqual(['0 passed, 1 failed (1 finding)', 1]);
  });

  test('prints no control character, no U+FFFF and no command to a pipeline (##[, ##vso[) that a response contains', async () => {
    const wrong = changesResponse(({ headers }, { url }) => {
      if (isProbe(url.href)) return;
      headers.set('x-request-id', 'id\u009b31m');
      return { text: '"\u001b[31m\u0000\uffff<b>&##[group]##vso[task.complete]"' };
    })(createReferenceServer());
    const { stdout } = await runAgainst(wrong, '--junit', junit, ...ONE_CHECK);
    for (const text of [stdout, readFileSync(junit, 'utf8')]) {
      expect(text).toMatch(/\[31m/);
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\uffff]|##\w*\[/u);
    }
    expect(readFileSync(junit, 'utf8')).toContain('&lt;b&gt;&amp;#');
  });

  test('selects the checks whose title has a text of --only in any case, and no text of --skip', async () => {
    const selection = ['--only', 'LIMIT IS', '--only', 'cursor is', '--skip', 'repeated', '--skip', 'huge'];
    const { stdout } = await runCommand(['--list', ...selection]);
    expect(stdout).toContain('listPets returns 400 when limit is hexadecimal (0x10) (decision: bad limit');
    expect(stdout).toContain('cursor is empty');
    expect(stdout).not.toMatch(/repeated|huge|filter/);
  });

  test('prints the selected checks with --list, and its version with --version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(await runCommand(['--version'])).toMatchObject({ stdout: `${version}\n`, code: 0 });
    // A pipeline that lacks the secret sets an empty variable.
    const all = await runCommand(['--list'], { PETSTORE_READ_API_KEY: '' });
    expect(all).toMatchObject({ lines: checks.map(titleOf), code: 0 });
    const { lines } = await runCommand(['--list', '--profile', 'interface']);
    expect(lines).toHaveLength(interfaceChecks.length);
  });

  test.each([
    ['gets no response', () => new Promise<Response>(() => {}), 'the check to end within 0.5 s'],
    ['must wait', async () => limited('600'), 'no 429 for longer than the check may take, but '],
  ])('fails a check that %s for longer than --time-limit', async (_what, respond, expected) => {
    // A probe that gets 400 does not end the run.
    const slow: Fetch = async (url) => (isProbe(url) ? new Response('', { status: 400 }) : respond());
    const start = performance.now();
    const { stdout } = await runAgainst(slow, ...ONE_CHECK, '--time-limit', '0.5');
    expect(stdout).toContain(`: expected ${expected}`);
    expect(performance.now() - start, 'milliseconds, with a limit of 500').toBeLessThan(4_500);
  });

  test('ends at a signal, and has begun its JUnit document with all checks skipped', async () => {
    await using deployment = await serveFetch(() => {
      child.kill('SIGTERM');
      return new Promise(() => {});
    });
    const args = ['--base-url', deployment.baseUrl, '--api-key', API_KEY, '--junit', junit];
    const { child, ended } = startProgram([COMMAND, ...args]);
    // Without a listener the code would be null, and process 1 of a container would go on.
    expect(await ended).toMatchObject({ code: 143 });
    expect(readFileSync(junit, 'utf8')).toContain(` errors="0" skipped="${CHECK_COUNT}" `);
  });
});

test('findTargetFault waits for as long as a 429 asks beyond --time-limit, but no longer than --wait', async () => {
  let count = 0;
  const target = targetOf(async () => (count++ < 2 ? limited('1') : new Response('null')));
  const fault = await findTargetFault(target, { wait: 0, timeLimit: 0.5 });
  expect(fault).toContain('asks to wait 1 s, longer than --time-limit');
  const start = performance.now();
  expect(await findTargetFault(target, { wait: 60, timeLimit: 0.5 })).toBeUndefined();
  expect(performance.now() - start).toBeGreaterThan(990); // A timer may end some milliseconds early.
});

test('findTargetFault does not suggest http after a TLS alert', async () => {
  const target = targetOf(() => Promise.reject(new Error('SSL routines: alert version')));
  expect(await findTargetFault(target, { wait: 0, timeLimit: 1 })).toMatch(/^The target cannot be reached: /);
});

describe('petstore-conformance without a verdict exits 2', () => {
  // The suite does not follow a redirect, which could lead to a host that only the pipeline reaches.
  const headers = { 'content-type': 'text/html', location: '/elsewhere', 'retry-after': '61' };
  const respond = (status: number) => async () => new Response('<html>\n\u001b]0;x', { headers, status });
  const reference = createReferenceServer();

  test('when the reader of its output has gone', async () => {
    const { child } = startProgram([COMMAND, '--list']);
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([2, null]);
  });

  test.each([
    ['the target refuses the key', reference, 'http://HOST/v1', 'secret-k', 'refuses the API key: '],
    ['a gateway refuses the key', respond(403), 'http://HOST/v1', 'secret-k', 'refuses the API key: '],
    ['the base URL has no prefix', reference, 'http://HOST', API_KEY, 'has no pets at its base URL, '],
    ['the target redirects', respond(307), 'http://HOST/v1', API_KEY, 'redirects, '],
    ['the target returns an HTML page', respond(200), 'http://HOST/v1', API_KEY, 'has no pets at its '],
    ['a gateway gets no response', respond(504), 'http://HOST/v1', API_KEY, 'is not available: '],
    ['the rate limit is reached', respond(429), 'http://HOST/v1', API_KEY, 'asks to wait 61 s, '],
    ['the target speaks only http', reference, 'https://HOST/v1', API_KEY, 'cannot .*; is it http\\?: '],
  ])('with one line when %s', async (_when, fetch, url, apiKey, why) => {
    await using deployment = await serveFetch(fetch);
    const baseUrl = url.replace('HOST', new URL(deployment.baseUrl).host);
    const result = await runCommand(['--base-url', baseUrl, '--api-key', apiKey]);
    expect(result.stderr).toMatch(new RegExp(`^petstore-conformance: The target ${why}.*\n$`));
    expect(result.stderr).not.toContain('secret');
    expect(result).toMatchObject({ stdout: '', code: 2 });
  });

  test('and names the check when the target stops behind its gateway in the middle of a run', async () => {
    let served = 0;
    // Some checks have passed by then.
    const stopping: Fetch = async (url, init) =>
      ++served > 60 ? new Response('Gone.', { status: 502 }) : reference(url, init);
    const { lines, stderr, code } = await runAgainst(stopping, '--junit', junit);
    const why = /: Stopped after the check ".+": The target is not available: .* returned 502 .*\n$/;
    expect(stderr).toMatch(why);
    expect(lines.at(-1)).toMatch(/^\d+ passed, 1 failed \(1 finding\), \d+ not run$/);
    expect(readFileSync(junit, 'utf8')).toContain(' failures="1" ');
    expect(code).toBe(2);
  });

  const variables = { PETSTORE_BASE_URL: 'http://127.0.0.1:1/v1', PETSTORE_API_KEY: 'good' };

  test.each([
    ['PETSTORE_BASE_URL', '', 'set PETSTORE_BASE_URL'],
    ['PETSTORE_BASE_URL', 'localhost:3000/v1', 'be a valid URL and begin with http://'],
    ['PETSTORE_BASE_URL', 'http://a.test/v1/pets', 'must end before /pets: http://a.test/v1\n'],
    ['PETSTORE_BASE_URL', 'http://a.test/v1/pets/', 'must end before /pets: http://a.test/v1\n'],
    ['PETSTORE_BASE_URL', 'http://a.test/v1?limit=1', 'no query'],
    ['PETSTORE_BASE_URL', 'http://a.test/v1#top', 'no fragment'],
    ['PETSTORE_BASE_URL', 'http://127.0.0.1:1/v9', 'must not end with /v9'],
    ['PETSTORE_BASE_URL', 'http://secret@a.test/v1', 'no user name or password'],
    ['PETSTORE_API_KEY', '', 'is empty'],
    ['PETSTORE_API_KEY', 'Bearer secret', 'PETSTORE_API_KEY begins with "Bearer"'],
    ['PETSTORE_API_KEY', 'secret\n', 'line break'],
    ['PETSTORE_READ_API_KEY', 'secreté', 'PETSTORE_READ_API_KEY has a space, a line break'],
  ])('and says what is wrong with the variable %s=%s', async (name, value, why) => {
    const { stdout, stderr, code } = await runCommand([], { ...variables, [name]: value });
    expect(stderr).toMatch(/^petstore-conformance: .*\n$/);
    expect(stderr).toContain(why);
    expect(stdout + stderr).not.toContain('secret');
    expect(code).toBe(2);
  });

  test.each([
    ['--profile tap', 'interface'],
    ['--time-limit 0', 'seconds'],
    ['--api-key é', '--api-key has a space'],
    ['--read-api-key é', '--read-api-key has a space'],
    ['--wait 0', 'cannot be reached'],
    ['--junit nowhere/results.xml', 'nowhere/results.xml'],
    ['--only zebra', 'no check has "zebra" in its title'],
    ['--skip zebra', 'no check has "zebra" in its title'],
    ['--only limit is', 'too many arguments'],
    ['--skip limit is', 'too many arguments'],
    ['--only limit --skip limit', 'no check is selected'],
    ['--known-failures nowhere', 'nowhere'],
  ])('and says why with %s', async (args, why) => {
    const ended = await runCommand(args.split(' '), variables);
    expect(ended).toMatchObject({ stderr: expect.stringContaining(why), code: 2 });
  });

  test('and writes a JUnit document with all checks skipped when none is selected', async () => {
    expect(await runCommand(['--junit', junit, '--only', 'zebra'], variables)).toMatchObject({ code: 2 });
    // Until a run ends, each check counts as skipped.
    expect(readFileSync(junit, 'utf8')).toContain(` failures="0" errors="0" skipped="${CHECK_COUNT}" `);
  });

  test('and says that there is no key', async () => {
    const { PETSTORE_BASE_URL } = variables;
    const stderr = 'petstore-conformance: there is no API key: set PETSTORE_API_KEY\n';
    expect(await runCommand([], { PETSTORE_BASE_URL })).toMatchObject({ stderr, code: 2 });
  });
});
