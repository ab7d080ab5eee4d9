import { describeRequestId } from './report.ts';
import type { Result } from './run.ts';

/** The JUnit document of a run. A known failure is a skipped test, and so is a check that did not run. */
export function junitOf(results: readonly Result[]): string {
  const count = (...wanted: Result['outcome'][]) =>
    results.filter(({ outcome }) => wanted.includes(outcome)).length;
  const attributes = {
    name: 'petstore-conformance',
    tests: results.length,
    failures: count('failed'),
    errors: 0,
    skipped: count('known', 'not run'),
    time: results.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
  };
  const suite = element('testsuite', attributes, results.map(testCase).join('\n'));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, suite)}\n`;
}

function testCase({ check: { name, cites }, outcome, failure, seconds }: Result): string {
  const message = failure?.summary ?? outcome;
  const details = [message, failure?.replay?.curl, failure?.replay?.received, describeRequestId(failure)];
  const text = escapeXml(details.filter(Boolean).join('\n'));
  const attributes = { classname: cites, name, time: seconds.toFixed(3) };
  if (outcome === 'passed') return element('testcase', attributes);
  const failed = element('failure', { message, type: 'ConformanceError' }, text);
  return element('testcase', attributes, outcome === 'failed' ? failed : element('skipped', { message }));
}

function element(name: string, attributes: Record<string, string | number>, content = ''): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(`${value}`)}"`);
  return `<${name}${pairs.join('')}>${content}</${name}>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The texts of a failure have no control characters, which XML cannot contain. */
const escapeXml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
