import { expect, test } from 'vitest';
import { interfaceChecks } from '../src/checks/index.ts';
import { summarize } from '../src/command/report.ts';
import { runChecks } from '../src/command/run.ts';
import { API_KEY, createForeignService } from './foreign-service.ts';

/** Faults of the service, with the findings of a run. A finding is all failed checks with the same text. */
const faults: Record<string, string[]> = {
  none: [],
  'each pet twice': ['expected each pet once in the listing'],
  'no 0 in lists': ['expected the same pet as before'],
  'no ids in lists': ['expected an array of Pet (id: is required)'],
  'no response to getPet': ['expected a response, got closed'],
  'no authentication': ['expected 401 rather than 201', 'expected 401 rather than 200'],
  'stored without a key': ['expected nothing of a refused request in the listing'],
};

test.each(Object.entries(faults))(
  'A service written from the interface document alone has only the findings of its fault: %s',
  async (fault, causes) => {
    const target = { baseUrl: 'http://foreign.test/v1', apiKey: API_KEY, fetch: createForeignService(fault) };
    const options = { known: new Set<string>(), timeLimit: 60, report() {} };
    const report = summarize((await runChecks(target, interfaceChecks, options)).results);
    const [, ...findings] = report.split('\nFinding: ');
    // After the request and its response comes no request id: the service sends no X-Request-Id.
    const causeAndCount = /^(.*) \((\d+) checks?\)\n {5}.*curl -i .*\n {5}\S.*\n {5}- /;
    const found = findings.map((finding) => causeAndCount.exec(finding)?.slice(1));
    const countChecks = (finding = '') => `${finding.match(/^ {5}- /gm)?.length}`;
    expect(found).toEqual(causes.map((cause, index) => [cause, countChecks(findings[index])]));
    expect(report).not.toContain(API_KEY);
  },
);
