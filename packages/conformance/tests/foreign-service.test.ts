import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PetStatus } from '@petstore/contract';
import { expect, test } from 'vitest';
import { interfaceChecks } from '../src/checks/index.ts';
import { describeEnd } from '../src/command/report.ts';
import { runChecks } from '../src/command/run.ts';

const API_KEY = 'foreign-key';
const SERVICE = fileURLToPath(new URL('foreign-service.js', import.meta.url));

/**
 * Faults of the service, each with the findings of a run. Some could stay hidden, because it has no next links.
 * The last two fail many checks, and must still lead to few findings.
 */
const faults: Record<string, string[]> = {
  none: [],
  'a default of 10': ['expected as many pets as the limit, since there are more'],
  'each pet twice': ['expected each pet once in the listing'],
  'no authentication': ['expected 401 rather than 201', 'expected 401 rather than 200'],
  'stored without a key': ['expected nothing of a refused request in the listing'],
};

// The tests run concurrently, because each service has its own process and a run mostly waits.
test.concurrent.each(Object.entries(faults))(
  'A service written from the interface document alone has only the findings of its fault: %s',
  async (fault, causes) => {
    const child = spawn(process.execPath, [SERVICE, fault, ...PetStatus.options], {
      env: { API_KEY },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [port] = await once(child.stdout, 'data');
      const target = { baseUrl: `http://127.0.0.1:${Number(port)}/v1`, apiKey: API_KEY, fetch };
      const options = { known: new Set<string>(), timeLimit: 60, report() {} };
      const report = describeEnd((await runChecks(target, interfaceChecks, options)).results);
      const [, ...findings] = report.split('\nFinding: ');
      expect(findings.map((finding) => finding.replace(/ \(\d+ checks?\)\n.*$/s, ''))).toEqual(causes);
      for (const finding of findings) expect(finding).toMatch(/\n {5}.*curl -i /);
      expect(report).not.toContain(API_KEY);
    } finally {
      child.kill();
    }
  },
);
