import { startRewritingProxy } from '@petstore/test-support/proxy';
import { serveFetch } from '@petstore/test-support/serve-fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wireChecks } from '../src/checks/index.ts';
import { Nonconformity } from '../src/nonconformity.ts';
import { runChecks } from '../src/run.ts';
import { type WireDefect, wiring } from './defects/wiring.ts';
import { API_KEY, createReferenceServer } from './reference/server.ts';

const fetch = createReferenceServer();
let reference: Awaited<ReturnType<typeof serveFetch>>;

beforeAll(async () => {
  reference = await serveFetch(fetch);
});

afterAll(() => reference[Symbol.asyncDispose]());

/** The checks that the reference server fails behind a proxy with a defect. */
async function failuresBehind({ reads = (request) => request, writes }: Partial<WireDefect>) {
  const { origin, host } = new URL(reference.baseUrl);
  await using proxy = await startRewritingProxy(origin, {
    request: (text) => reads(text).replaceAll(`Host: ${new URL(proxy.origin).host}`, `Host: ${host}`),
    ...(writes && { response: writes }),
  });
  const target = { baseUrl: `${proxy.origin}/v1`, apiKey: API_KEY, fetch };
  const results = await Array.fromAsync(runChecks(target, { checks: wireChecks }));
  return results.filter(({ passed }) => !passed);
}

describe('Over the wire, the reference server keeps', () => {
  for (const check of wireChecks) {
    test(check.name, () => check.run({ baseUrl: reference.baseUrl, apiKey: API_KEY, fetch }));
  }
});

test('A relay that changes nothing does no harm', async () => {
  expect(await failuresBehind({})).toEqual([]);
});

describe('A defect that shows on the wire alone is found out by the check that names it', () => {
  test.each(wiring)('$defect: $foundBy', async (defect) => {
    const failures = await failuresBehind(defect);
    expect(failures.map(({ check }) => check.name)).toEqual([defect.foundBy]);
    for (const { error } of failures) expect(error).toBeInstanceOf(Nonconformity);
  });
});

test('Every check of the wire is failed by one of the defects at least', () => {
  const found = new Set(wiring.map(({ foundBy }) => foundBy));
  expect(wireChecks.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([]);
});

test('A deployment that cannot be reached is a nonconformity', async () => {
  const gone = await serveFetch(fetch);
  await gone[Symbol.asyncDispose]();
  const target = { baseUrl: gone.baseUrl, apiKey: API_KEY, fetch };
  const [result] = await Array.fromAsync(runChecks(target, { checks: wireChecks }));
  expect(result?.error).toBeInstanceOf(Nonconformity);
  expect(result?.error?.message).toContain('expected an answer, got');
});
