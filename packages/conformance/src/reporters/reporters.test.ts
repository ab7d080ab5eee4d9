import { expect, test } from 'vitest';
import { ConformanceError } from '../conformance-error.ts';
import type { Result } from '../run/run.ts';
import { type Reporter, reporters } from './index.ts';

const check = { name: 'Cats & <dogs>: 100%', cites: 'interface: "Pet"', readOnly: true, run: async () => {} };
const other = { ...check, name: 'Birds' };
const passed: Result = { check, passed: true, milliseconds: 5 };

const replay = { curl: "curl -i 'http://a.test'", received: '200 \u001b[31m\0 <b> \ud800', requestId: 'r1' };
const error = new ConformanceError('expected "a",\nbut it was \u001b[31m <b> \ud800', {
  finding: 'expected "a"',
  replay,
});
const failed: Result = { check, passed: false, milliseconds: 7, error };
const alsoFailed: Result = { ...failed, check: other };
const timedOut: Result = { check, passed: false, milliseconds: 9, error: new Error('took more than 9 ms') };

async function report(reporter: Reporter, ...results: Result[]): Promise<string[]> {
  return Array.fromAsync(
    reporter(
      (async function* () {
        yield* results;
      })(),
    ),
  );
}

const OK = 'ok   Cats & <dogs>: 100% (interface: "Pet")';
const FAIL = `FAIL Cats & <dogs>: 100% (interface: "Pet"): expected "a", but it was  [31m <b> \ud800
     curl -i 'http://a.test'
     request id r1`;
const FINDING = `Finding: expected "a" (2 checks)
     curl -i 'http://a.test'
     200  [31m  <b> \ud800
     request id r1
     - Cats & <dogs>: 100% (interface: "Pet")
     - Birds (interface: "Pet")`;

test('lines prints one line for each check that passes', async () => {
  expect(await report(reporters.lines, passed)).toEqual([OK]);
});

test('lines prints the request of a failure, and at the end the failures of one cause as one finding', async () => {
  const alsoFail = FAIL.replace('Cats & <dogs>: 100%', 'Birds');
  const expected = [FAIL, OK, alsoFail, `\n${FINDING}`, ''];
  expect(await report(reporters.lines, failed, passed, alsoFailed)).toEqual(expected);
});

test('lines prints a failure that no single request shows', async () => {
  const [line, finding] = await report(reporters.lines, timedOut);
  expect(line).toBe(OK.replace('ok  ', 'FAIL').concat(': took more than 9 ms'));
  expect(finding).toBe(
    '\nFinding: took more than 9 ms (1 check)\n     - Cats & <dogs>: 100% (interface: "Pet")',
  );
});

test('github prints the lines, and an annotation for each finding', async () => {
  const [annotation] = (await report(reporters.github, failed, alsoFailed, timedOut)).slice(-2);
  expect(annotation).toBe(
    `::error title=expected "a"::${FINDING.replaceAll('%', '%25').replaceAll('\n', '%0A')}`,
  );
  expect(await report(reporters.github, passed)).toEqual([OK]);
});

test('junit prints one document, with the cause of a failure as its type and the request as its text', async () => {
  expect(await report(reporters.junit, passed, failed)).toEqual([
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="1" time="0.012">
<testsuite name="petstore-conformance" tests="2" failures="1" time="0.012">
<testcase classname="interface: &quot;Pet&quot;" name="Cats &amp; &lt;dogs&gt;: 100%" time="0.005"/>
<testcase classname="interface: &quot;Pet&quot;" name="Cats &amp; &lt;dogs&gt;: 100%" time="0.007"><failure type="expected &quot;a&quot;" message="expected &quot;a&quot;, but it was  [31m &lt;b&gt; \ufffd">curl -i 'http://a.test'
200  [31m  &lt;b&gt; \ufffd
request id r1</failure></testcase>
</testsuite>
</testsuites>`,
  ]);
});
