import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { autocannon } from '../src/load/autocannon.ts';
import { fixedRate } from '../src/load/fixed-rate.ts';
import { generate, generatorName } from '../src/load/generator.ts';
import { requestsOf } from '../src/load/operations.ts';
import { freePort } from '../src/process.ts';

const requests = requestsOf('key', 100);
type Name = keyof typeof requests;

/** A server that answers everything with one status, and remembers what it was asked. */
async function startTarget(status: number) {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    received.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`);
    response.writeHead(status).end();
  });
  const port = await freePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    received,
    load: (name: Name) => ({ port, requests: requests[name].slice(0, 5), connections: 4, seconds: 1 }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const expected = (name: Name) =>
  requests[name]
    .slice(0, 5)
    .map(({ method, path, headers, body = '' }) => `${method} ${path} ${headers.Authorization} ${body}`);

describe.each([
  [`the generator of this machine, ${generatorName},`, generate],
  ['autocannon', autocannon],
])('%s', (_name, send) => {
  test('sends every request as it is and counts the answers', async () => {
    await using target = await startTarget(201);
    const result = await send(target.load('create'));
    expect(new Set(target.received)).toEqual(new Set(expected('create')));
    expect(result.failed).toBe(0);
    expect(result.answered).toBeGreaterThan(100);
    expect(result.answered).toBeLessThanOrEqual(target.received.length);
    expect(result.requestsPerSecond / result.answered).toBeCloseTo(1, 0);
  });

  test('counts refusals as failures', async () => {
    await using target = await startTarget(401);
    const result = await send(target.load('get'));
    expect(result.failed).toBeGreaterThan(100);
  });
});

describe('a load at a fixed rate', () => {
  test('sends as many requests as the rate says, and measures them', async () => {
    await using target = await startTarget(200);
    const { p50Ms, p99Ms } = await fixedRate(target.load('list'), 100);
    expect(target.received).toHaveLength(100);
    expect(new Set(target.received)).toEqual(new Set(expected('list')));
    expect(p50Ms).toBeGreaterThan(0);
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
  });

  test('ends with an error when a request is refused', async () => {
    await using target = await startTarget(503);
    await expect(fixedRate(target.load('list'), 100)).rejects.toThrow(
      'GET /v1/pets?status=available&limit=20 gave 503',
    );
  });
});
