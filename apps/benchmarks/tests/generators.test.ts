import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '@petstore/test-support/servers/listen';
import { describe, expect, test } from 'vitest';
import { autocannon, sendRequests } from '../src/load/autocannon.ts';
import { sendAtFixedRate } from '../src/load/fixed-rate.ts';
import { generate, generatorName } from '../src/load/generator.ts';
import { createWorkloads, type WorkloadName } from '../src/load/workloads.ts';

const PETS = 100;
const SECONDS = 1;
const PACE = { rate: 100, seconds: SECONDS };
const workloads = createWorkloads('key', PETS);

/** So that a generator, which sends as fast as it gets responses, leaves the processor to other tests. */
const RESPONSE_MS = 2;

/** A server whose responses all have one status, and that records its requests. */
async function startTarget(status: number) {
  const received: { line: string; authorization: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method, url, headers } = request;
    received.push({ line: `${method} ${url}`, authorization: headers.authorization, body });
    await sleep(RESPONSE_MS);
    response.writeHead(status).end();
  });
  const { origin, ...listening } = await listen(server);
  return {
    received,
    load: (name: WorkloadName) => ({
      port: Number(new URL(origin).port),
      workload: workloads[name],
      connections: 4,
    }),
    ...listening,
  };
}

/** The generator of this machine and autocannon, which are the same where wrk is not installed. */
const generators = new Map([
  ['autocannon', autocannon],
  [generatorName, generate],
]);

describe.each([...generators])('%s', (_name, send) => {
  test('sends creations that differ from each other and counts the responses', async () => {
    await using target = await startTarget(201);

    const { failed, responses, requestsPerSecond } = await send(target.load('create'), SECONDS);

    const names = target.received.map(({ body }) => JSON.parse(body).name);
    expect(new Set(names).size).toBe(names.length);
    expect(names[0]).toMatch(/^Ñandú \d{8}$/);
    expect(target.received[0]).toMatchObject({ line: 'POST /v1/pets', authorization: 'Bearer key' });
    expect(failed).toBe(0);
    expect(responses).toBeGreaterThan(10);
    expect(responses).toBeLessThanOrEqual(target.received.length);
    expect(requestsPerSecond / responses).toBeCloseTo(1, 0);
  });

  test('asks for random pets of the whole catalogue', async () => {
    await using target = await startTarget(200);

    await send(target.load('get'), SECONDS);

    const ids = target.received.map(({ line }) => Number(line.replace('GET /v1/pets/', '')));
    expect(Math.min(...ids)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...ids)).toBeLessThanOrEqual(PETS);
    expect(new Set(ids).size).toBeGreaterThan(PETS / 2);
  });

  test('never asks for an uncached list twice', async () => {
    await using target = await startTarget(200);

    await send(target.load('list'), SECONDS);
    await send(target.load('list'), SECONDS);

    const lines = target.received.map(({ line }) => line);
    expect(new Set(lines).size).toBe(lines.length);
  });

  test('mixes lists, single pets and creations by their weights', async () => {
    await using target = await startTarget(200);

    await send(target.load('mix30'), SECONDS);

    const share = (beginning: string) =>
      target.received.filter(({ line }) => line.startsWith(beginning)).length / target.received.length;
    expect(share('GET /v1/pets?')).toBeCloseTo(0.4, 0);
    expect(share('GET /v1/pets/')).toBeCloseTo(0.3, 0);
    expect(share('POST /v1/pets')).toBeCloseTo(0.3, 0);
  });

  test('counts responses with an error status as failures', async () => {
    await using target = await startTarget(401);

    const { failed } = await send(target.load('get'), SECONDS);

    expect(failed).toBeGreaterThan(100);
  });
});

test('a warm-up sends as many requests as it is told to', async () => {
  await using target = await startTarget(200);

  const { responses } = await sendRequests(target.load('mix5'), 1_000);

  expect(responses).toBe(1_000);
  expect(target.received).toHaveLength(1_000);
});

describe('sendAtFixedRate', () => {
  test('sends as many requests as the rate says, and measures them', async () => {
    await using target = await startTarget(200);

    const { p50Ms, p99Ms } = await sendAtFixedRate(target.load('list'), PACE);

    expect(target.received).toHaveLength(100);
    expect(p50Ms).toBeGreaterThan(0);
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
  });

  test('throws when a response is an error', async () => {
    await using target = await startTarget(503);

    await expect(sendAtFixedRate(target.load('cached-list'), PACE)).rejects.toThrow(
      /^GET \/v1\/pets\?status=\w+&limit=20 gave 503$/,
    );
  });
});
