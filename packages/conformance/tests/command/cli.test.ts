import { readFileSync } from 'node:fs';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { describe, expect, test } from 'vitest';
import { checks, interfaceChecks, wireChecks } from '../../src/checks/index.ts';
import type { Fetch } from '../../src/target.ts';
import { changesHeader } from '../defects/defect.ts';
import { API_KEY, createReferenceServer, READ_API_KEY } from '../reference.ts';
import { runAgainst, runCommand, UNKNOWN_METHOD } from './run-command.ts';

const everyCheck = [...checks, ...wireChecks];

const servedChecks = everyCheck.filter(({ name }) => name !== UNKNOWN_METHOD);

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
  expect(rest).not.toMatch(/[<>]/);
  expect(open).toEqual([]);
  return all;
}

const withoutSunset = () => changesHeader('Sunset')(createReferenceServer());

// One after another: the deployment is served by this process, which must not be kept from responding.
describe('petstore-conformance', () => {
  test('prints one line for each check and the counts, and exits 0 when every check passes', async () => {
    const { lines, code, stderr } = await runAgainst(createReferenceServer());
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('ok '))).toHaveLength(servedChecks.length);
    expect(lines.at(-1)).toBe(`${servedChecks.length} passed, 0 failed`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('says what was expected and what came, groups the failures, and exits 1 when a check fails', async () => {
    const { lines, stdout, code } = await runAgainst(withoutSunset(), '--only', 'removal on 5 December 2030');
    expect(lines[0]).toMatch(
      /^FAIL getPet announces .* \(decision: getPet's .*\): expected Sunset: Thu, 05 Dec .* returned 200 \{"id"/,
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
    expect(withWriteKey).toMatchObject({
      code: 1,
      lines: expect.arrayContaining(['1 passed, 1 failed (1 finding)']),
    });
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
    expect(stderr).toBe(`${Number(all) - 4} passed, 4 failed (1 finding)\n`);
    expect(code).toBe(1);
  });

  test('prints an annotation for each finding with --reporter github', async () => {
    const args = ['--reporter', 'github', '--only', 'removal on 5 December 2030'];
    const { lines } = await runAgainst(withoutSunset(), ...args);
    expect(lines.filter((line) => line.startsWith('::error title=expected Sunset'))).toHaveLength(1);
  });

  test('selects checks by text, and takes the key from the environment', async () => {
    await using deployment = await serveFetch(createReferenceServer());
    const args = ['--base-url', `${deployment.baseUrl}/`, '--only', '400 WHEN LIMIT', '--skip', 'repeated'];
    const { lines, code } = await runCommand(args, { PETSTORE_API_KEY: API_KEY });
    expect(lines).toContain(
      'ok   listPets returns 400 when limit is hexadecimal (0x10) (decision: bad limit, status or cursor)',
    );
    expect(lines.join()).not.toContain('repeated');
    expect(code).toBe(0);
  });

  test('prints the selected checks with --list and sends nothing', async () => {
    const { lines, code } = await runCommand(['--list']);
    expect(lines).toEqual(everyCheck.map(({ name, cites }) => `${name} (${cites})`));
    expect(code).toBe(0);
    const readOnly = await runCommand(['--list', '--read-only', '--only', 'RFC 8594']);
    expect(readOnly.lines).toHaveLength(2);
    const ofInterface = await runCommand(['--list', '--profile', 'interface']);
    expect(ofInterface.lines).toEqual(interfaceChecks.map(({ name, cites }) => `${name} (${cites})`));
  });

  test('prints the version of its package with --version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runCommand(['--version'])).toMatchObject({ stdout: `${version}\n`, code: 0 });
  });
});
