import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { interfaceChecks } from '../../src/checks/index.ts';
import { findingsOf } from '../../src/run/findings.ts';
import { runChecks } from '../../src/run/run.ts';
import { runCommand } from '../command/run-command.ts';

const API_KEY = 'foreign-key';
const SERVICE = fileURLToPath(new URL('foreign-service.js', import.meta.url));

/** Each fault of the service, with what the suite finds. */
const faults: Record<string, string[]> = {
  '200 for a creation': ['expected 201 rather than 200'],
  'a default of 10': ['expected as many pets as the limit, since there are more'],
  'no maximum': ['expected an array of Pet (must have at most 100 pets)'],
  'no filter': ['expected only pets with the status of the filter'],
  'no validation': ['expected 400 rather than 201'],
  '500 for what is no JSON': ['expected 400 rather than 500'],
  'status lost': ['expected the status that was sent'],
  'int64 rounded': [
    'expected the categoryId that was sent',
    'expected a Pet (categoryId: must be an integer from -2^63 to 2^63 - 1)',
  ],
  'no authentication': ['expected 401 rather than 200', 'expected 401 rather than 201'],
  'errors without a code': ['expected an Error body (code: must be a string)'],
};

async function startService(fault = '') {
  const child = spawn(process.execPath, [SERVICE, fault], {
    env: { API_KEY },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return {
    baseUrl: `http://127.0.0.1:${Number(port)}/v1`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'close');
    },
  };
}

/** Runs the command against the service. */
async function runCommandAgainst(fault: string, ...args: string[]) {
  await using service = await startService(fault);
  return await runCommand(['--base-url', service.baseUrl, ...args], { PETSTORE_API_KEY: API_KEY });
}

describe('A service written from the interface document alone', () => {
  test('passes --profile interface', async () => {
    const { lines, code } = await runCommandAgainst('', '--profile', 'interface');
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(lines.at(-1)).toBe(`${interfaceChecks.length} passed, 0 failed`);
    expect(code).toBe(0);
  });

  test('fails the default profile for decisions, none of which cites the interface document', async () => {
    const { lines, code } = await runCommandAgainst('');
    const failures = lines.filter((line) => line.startsWith('FAIL'));
    expect(failures.length).toBeGreaterThan(50);
    expect(failures.filter((line) => line.includes('(interface: '))).toEqual([]);
    expect(code).toBe(1);
  });

  test('fails with one finding for a wrong status, which a curl line shows', async () => {
    const { stdout, lines, code } = await runCommandAgainst('200 for a creation', '--profile', 'interface');
    const [, finding = '', ...others] = stdout.split('\nFinding: ');
    expect(finding).toMatch(
      /^expected 201 rather than 200 \(\d\d checks\)\n {5}curl -i -X POST -H "Authorization: Bearer \$PETSTORE_API_KEY" .*\n {5}200 \{"id":/,
    );
    expect(others).toEqual([]);
    expect(lines.at(-1)).toMatch(/^\d+ passed, \d+ failed \(1 finding\)$/);
    expect(stdout).not.toContain(API_KEY);
    expect(code).toBe(1);
  });

  test.each(Object.entries(faults))('fails with a few findings for the fault: %s', async (fault, causes) => {
    await using service = await startService(fault);
    const target = { baseUrl: service.baseUrl, apiKey: API_KEY, fetch };
    const results = await Array.fromAsync(runChecks(target, { checks: interfaceChecks }));
    const findings = findingsOf(results);
    expect(findings.map(({ cause }) => cause)).toEqual(causes);
    for (const { replay } of findings) expect(replay?.curl).toContain(`curl -i`);
  });
});
