import { requestIdOf } from './report.ts';
import type { Result } from './run.ts';

/** The JUnit document of a run. A known failure is a skipped test, and so is a check that did not run. */
export function junitOf(results: readonly Result[]): string {
  const count = (...wanted: Result['outcome'][]) =>
    results.filter(({ outcome }) => wanted.includes(outcome)).length;
  const counts = attributes({
    name: 'petstore-conformance',
    tests: results.length,
    failures: count('failed'),
    errors: 0,
    skipped: count('known', 'not run'),
    time: results.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
  });
  const cases = results.map(testCase).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${counts}>
<testsuite${counts}>
${cases}
</testsuite>
</testsuites>
`;
}

function testCase({ check: { name, cites }, outcome, failure, seconds }: Result): string {
  const opening = `<testcase${attributes({ classname: cites, name, time: seconds.toFixed(3) })}`;
  if (outcome === 'passed') return `${opening}/>`;
  const message = failure?.message ?? outcome;
  if (failure === undefined || outcome === 'known') {
    return `${opening}><skipped${attributes({ message })}/></testcase>`;
  }
  const details = [message, failure.replay?.curl, failure.replay?.received, requestIdOf(failure)];
  const text = escapeXml(details.filter(Boolean).join('\n'));
  return `${opening}><failure${attributes({ message, type: 'ConformanceError' })}>${text}</failure></testcase>`;
}

const attributes = (values: Record<string, string | number>) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(`${value}`)}"`)
    .join('');

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Messages have no control characters, which XML cannot contain. */
const escapeXml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
