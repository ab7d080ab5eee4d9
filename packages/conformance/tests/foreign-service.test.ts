import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { interfaceChecks } from '../src/checks/index.ts';
import { runCommand } from './support.ts';

const API_KEY = 'foreign-key';
const SERVICE = fileURLToPath(new URL('foreign-service.js', import.meta.url));

/**
 * Faults of the service, each with the findings of a run. A listing without next links could hide some of them. Others
 * fail many checks, and must still lead to few findings.
 */
const faults: Record<string, string[]> = {
  '200 for a creation': ['expected 201 rather than 200'],
  'a default of 10': ['expected as many pets as the limit, since there are more'],
  'no filter': ['expected only pets with the status of the filter'],
  'each pet twice': ['expected each pet once in the listing'],
  'no authentication': ['expected 401 rather than 201', 'expected 401 rather than 200'],
  'stored without a key': ['expected nothing of a refused request in the listing'],
};

const NO_FAULT = '';

/** Runs the command against a new service with the fault. */
async function runCommandAgainst(fault: string, ...args: string[]) {
  const child = spawn(process.execPath, [SERVICE, fault], {
    env: { API_KEY },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  const baseUrl = `http://127.0.0.1:${Number(port)}/v1`;
  try {
    return await runCommand(['--base-url', baseUrl, ...args], { PETSTORE_API_KEY: API_KEY });
  } finally {
    child.kill();
  }
}

// The tests run concurrently, because each service has its own process and a run mostly waits.
describe.concurrent('A service written from the interface document alone', () => {
  test('passes --profile interface', async () => {
    const { lines, code } = await runCommandAgainst(NO_FAULT, '--profile', 'interface');
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(lines.at(-1)).toBe(`${interfaceChecks.length} passed, 0 failed`);
    expect(code).toBe(0);
  });

  test('fails the default profile, but no check that cites the interface document', async () => {
    const { lines, code } = await runCommandAgainst(NO_FAULT);
    const failures = lines.filter((line) => line.startsWith('FAIL'));
    expect(failures.length).toBeGreaterThan(50);
    expect(failures.filter((line) => line.includes('(interface: '))).toEqual([]);
    expect(code).toBe(1);
  });

  test.each(Object.entries(faults))('fails with a few findings for the fault: %s', async (fault, causes) => {
    const { stdout, code } = await runCommandAgainst(fault, '--profile', 'interface');
    const [, ...findings] = stdout.split('\nFinding: ');
    expect(findings.map((finding) => finding.replace(/ \(\d+ checks?\)\n.*$/s, ''))).toEqual(causes);
    for (const finding of findings) expect(finding).toMatch(/\n {5}(?:\S.*)?curl -i /);
    expect(stdout).not.toContain(API_KEY);
    expect(code).toBe(1);
  });
});
