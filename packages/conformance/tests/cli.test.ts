import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { serveFetch } from '@petstore/test-support/serve-fetch';
import { describe, expect, test } from 'vitest';
import { checks, wireChecks } from '../src/checks/index.ts';
import type { Fetch } from '../src/target.ts';
import { mistakesHeader } from './defects/breaking.ts';
import { API_KEY, createReferenceServer } from './reference/server.ts';

const everyCheck = [...checks, ...wireChecks];
const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));

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
  return await run(['--base-url', deployment.baseUrl, '--api-key', API_KEY, ...args]);
}

const withoutSunset = mistakesHeader('Sunset')(createReferenceServer());

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

describe.concurrent('petstore-conformance', () => {
  test('prints one line a check, then the counts, and exits 0 when every check passes', async () => {
    const { lines, code, stderr } = await runAgainst(createReferenceServer());
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('ok '))).toHaveLength(everyCheck.length);
    expect(lines.at(-1)).toBe(`${everyCheck.length} passed, 0 failed`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('says what was expected and what came, and exits 1 when a check fails', async () => {
    const { lines, code } = await runAgainst(withoutSunset, '--only', 'goes on 5 December 2030');
    expect(lines[0]).toMatch(
      /^FAIL getPet says .* \(interface: Versioning; RFC 8594\): expected Sunset: Thu, 05 Dec .* answered 200 \{"id"/,
    );
    expect(lines.at(-1)).toBe('0 passed, 3 failed');
    expect(code).toBe(1);
  });

  test('runs only the checks that leave the store as it is when told to', async () => {
    const methods = new Set<string | undefined>();
    const reference = createReferenceServer();
    const watched: Fetch = async (url, init) => {
      const response = await reference(url, init);
      if (response.ok) methods.add(init.method);
      return response;
    };
    const { lines, code } = await runAgainst(watched, '--read-only');
    const count = everyCheck.filter(({ readOnly }) => readOnly).length;
    expect(lines.at(-1)).toBe(`${count} passed, 0 failed`);
    expect(code).toBe(0);
    expect([...methods].toSorted()).toEqual(['GET', 'HEAD']);
  });

  test('writes a well-formed JUnit document, and the counts beside it', async () => {
    const { stdout, stderr, code } = await runAgainst(
      withoutSunset,
      '--reporter',
      'junit',
      '--only',
      'getPet',
    );
    const elements = elementsOf(stdout);
    const [failed, all] = ['failure', 'testcase'].map(
      (name) => elements.filter((element) => element === name).length,
    );
    expect(failed).toBe(3);
    expect(stderr).toBe(`${Number(all) - 3} passed, 3 failed\n`);
    expect(code).toBe(1);
  });

  test('selects checks by text, and takes the key from the environment', async () => {
    await using deployment = await serveFetch(createReferenceServer());
    const args = ['--base-url', `${deployment.baseUrl}/`, '--only', 'LIMIT THAT IS', '--skip', 'repeated'];
    const { lines, code } = await run(args, { PETSTORE_API_KEY: API_KEY });
    expect(lines).toContain(
      'ok   A limit that is hexadecimal (0x10) is 400 (decision: bad limit, status or cursor)',
    );
    expect(lines.join()).not.toContain('repeated');
    expect(code).toBe(0);
  });

  test('fails every check when nothing answers, without showing the key', async () => {
    const deployment = await serveFetch(createReferenceServer());
    await deployment[Symbol.asyncDispose]();
    const args = ['--base-url', deployment.baseUrl, '--api-key', 'secret', '--only', 'Authentication'];
    const { stdout, stderr, code } = await run(args);
    expect(stdout).toContain('expected an answer, got fetch failed');
    expect(stdout).not.toMatch(/^ok/m);
    expect(stdout + stderr).not.toContain('secret');
    expect(code).toBe(1);
  });

  const bad = [
    ['without a base address', ['--api-key', 'k'], '--base-url'],
    ['without a key', ['--base-url', 'http://127.0.0.1:1/v1'], '--api-key'],
    ['with a base address that is none', ['--base-url', 'petstore', '--api-key', 'k'], 'http or https'],
    ['with an unknown option', ['--base-url', 'http://x/v1', '--api-key', 'k', '--fast'], '--fast'],
    [
      'with an unknown reporter',
      ['--base-url', 'http://x/v1', '--api-key', 'k', '--reporter', 'tap'],
      'junit',
    ],
    [
      'with a time limit that is none',
      ['--base-url', 'http://x/v1', '--api-key', 'k', '--time-limit', '0'],
      'seconds',
    ],
    [
      'when no check is selected',
      ['--base-url', 'http://x/v1', '--api-key', 'k', '--only', 'zebra'],
      'no check',
    ],
  ] as const;
  test.each(bad)('exits 2 and says why %s', async (_when, args, why) => {
    const { stderr, code } = await run([...args]);
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });
});
