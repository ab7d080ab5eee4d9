import { expect, test } from 'vitest';
import { ConformanceError } from '../conformance-error.ts';
import type { Result } from '../run/run.ts';
import { type Reporter, reporters } from './index.ts';

const check = { name: 'Cats & <dogs>: 100%', cites: 'interface: "Pet"', readOnly: true, run: async () => {} };
const passed: Result = { check, passed: true, milliseconds: 5 };
const failed: Result = {
  check,
  passed: false,
  milliseconds: 7,
  error: new ConformanceError('expected "a",\n\u001b[31mbut\0 <b> \ud800'),
};

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
const FAIL = 'FAIL Cats & <dogs>: 100% (interface: "Pet"): expected "a", [31mbut  <b> \ud800';

test('lines prints one line for each check, whatever the reason of a failure contains', async () => {
  expect(await report(reporters.lines, passed)).toEqual([OK]);
});

test('lines repeats the failures at the end', async () => {
  expect(await report(reporters.lines, failed, passed)).toEqual([FAIL, OK, `\nFailures:\n${FAIL}\n`]);
});

test('github prints the lines, and an annotation for each failure', async () => {
  const annotation = FAIL.replace('%', '%25');
  expect(await report(reporters.github, failed, passed)).toEqual([
    FAIL,
    OK,
    `\nFailures:\n${FAIL}\n`,
    `::error title=Cats & <dogs>%3A 100%25::${annotation}`,
  ]);
  expect(await report(reporters.github, passed)).toEqual([OK]);
});

test('junit prints one document in which everything is escaped or replaced', async () => {
  expect(await report(reporters.junit, passed, failed)).toEqual([
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="1" time="0.012">
<testsuite name="petstore-conformance" tests="2" failures="1" time="0.012">
<testcase classname="interface: &quot;Pet&quot;" name="Cats &amp; &lt;dogs&gt;: 100%" time="0.005"/>
<testcase classname="interface: &quot;Pet&quot;" name="Cats &amp; &lt;dogs&gt;: 100%" time="0.007"><failure type="ConformanceError" message="expected &quot;a&quot;, [31mbut  &lt;b&gt; \ufffd"/></testcase>
</testsuite>
</testsuites>`,
  ]);
});
