import { startRewritingProxy } from '@petstore/test-support/proxies/proxy';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wireChecks } from '../src/checks/index.ts';
import { ConformanceError, NoResponseError } from '../src/conformance-error.ts';
import { runChecks } from '../src/run/run.ts';
import { type WireDefect, wireDefects } from './defects/wire.ts';
import { API_KEY, createReferenceServer } from './reference.ts';

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

describe('The reference server passes over the wire:', () => {
  for (const check of wireChecks) {
    test(check.name, () => check.run({ baseUrl: reference.baseUrl, apiKey: API_KEY, fetch }));
  }
});

test('The reference server passes behind a proxy that changes nothing', async () => {
  expect(await failuresBehind({})).toEqual([]);
});

describe('A defect that shows only on the wire fails the check that is named with it:', () => {
  test.each(wireDefects)('$defect: $foundBy', async (defect) => {
    const failures = await failuresBehind(defect);
    expect(failures.map(({ check }) => check.name)).toEqual([defect.foundBy]);
    for (const { error } of failures) expect(error).toBeInstanceOf(ConformanceError);
  });
});

test('Every wire check fails for at least one of the defects', () => {
  const found = new Set(wireDefects.map(({ foundBy }) => foundBy));
  expect(wireChecks.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([]);
});

const rateLimited = (retryAfter: number) =>
  Response.json(
    { code: 'rate_limited', message: 'Later.', status: 429 },
    { status: 429, headers: { 'retry-after': `${retryAfter}`, 'x-request-id': 'limited' } },
  );

describe('A check passes where its first request over the wire gets a 429:', () => {
  test.concurrent.each(wireChecks)('$name', async (check) => {
    const replies = [rateLimited(1)];
    await using limited = await serveFetch(async (url, init) => replies.shift() ?? fetch(url, init));
    await check.run({ baseUrl: limited.baseUrl, apiKey: API_KEY, fetch });
  });
});

test('A wire check that waits after a 429 ends with its time', async () => {
  const ended = new AbortController();
  await using limited = await serveFetch(async () => {
    ended.abort();
    return rateLimited(3_600);
  });
  const target = { baseUrl: limited.baseUrl, apiKey: API_KEY, fetch, signal: ended.signal };
  for (const check of wireChecks) await expect(check.run(target)).rejects.toThrow();
});

test('A wire check fails with a NoResponseError when the target cannot be reached', async () => {
  const gone = await serveFetch(fetch);
  await gone[Symbol.asyncDispose]();
  const target = { baseUrl: gone.baseUrl, apiKey: API_KEY, fetch };
  const [result] = await Array.fromAsync(runChecks(target, { checks: wireChecks }));
  expect(result?.error).toBeInstanceOf(NoResponseError);
  expect(result?.error?.message).toContain('expected a response, got');
});
