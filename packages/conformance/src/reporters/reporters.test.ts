import { expect, test } from 'vitest';
import { Nonconformity } from '../nonconformity.ts';
import type { Result } from '../run.ts';
import { type Reporter, reporters } from './index.ts';

const check = { name: 'Cats & <dogs>', cites: 'interface: "Pet"', readOnly: true, run: async () => {} };
const passed: Result = { check, passed: true, milliseconds: 5 };
const failed: Result = {
  check,
  passed: false,
  milliseconds: 7,
  error: new Nonconformity('expected "a",\n\u001b[31mbut\0 <b> \ud800'),
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

test('Lines has one line a check, whatever the reason of a failure holds', async () => {
  expect(await report(reporters.lines, passed, failed)).toEqual([
    'ok   Cats & <dogs> (interface: "Pet")',
    'FAIL Cats & <dogs> (interface: "Pet"): expected "a", [31mbut  <b> \ud800',
  ]);
});

test('JUnit is one document in which everything is escaped or replaced', async () => {
  expect(await report(reporters.junit, passed, failed)).toEqual([
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="1" time="0.012">
<testsuite name="petstore-conformance" tests="2" failures="1" time="0.012">
<testcase classname="interface: &quot;Pet&quot;" name="Cats &amp; &lt;dogs&gt;" time="0.005"/>
<testcase classname="interface: &quot;Pet&quot;" name="Cats &amp; &lt;dogs&gt;" time="0.007"><failure type="Nonconformity" message="expected &quot;a&quot;, [31mbut  &lt;b&gt; \ufffd"/></testcase>
</testsuite>
</testsuites>`,
  ]);
});
