import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { renderOpenApi } from '@petstore/contract/openapi';
import { FIXED_KEY } from '@petstore/test-support/servers/server-process';
import { creationHead, openSocket, parseError, sendRaw } from '@petstore/test-support/sockets/raw-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type RunningApp, startApp } from '#support/app';
import { limits } from '../../src/http/limits.ts';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp({ API_KEYS: FIXED_KEY });
});

afterAll(() => app[Symbol.asyncDispose]());

/** The next client is served, whatever was sent before. */
async function expectService() {
  const response = await app.request('/pets?limit=1');
  expect(response.status).toBe(200);
}

describe('a request that reaches no operation', () => {
  test.each([
    ['a broken request line', 'nonsense\r\n\r\n', 400],
    ['a request without Host', 'GET /v1/pets HTTP/1.1\r\n\r\n', 400],
    ['a request with two Hosts', 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['a fragment behind a list', 'GET /v1/pets#x HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['an invalid Host', 'GET /v1/pets HTTP/1.1\r\nHost: a b/c@d\r\n\r\n', 400],
    [
      'two credentials',
      `GET /v1/pets HTTP/1.1\r\nHost: a\r\n${`Authorization: Bearer ${FIXED_KEY}\r\n`.repeat(2)}\r\n`,
      401,
    ],
    [
      'a compressed transfer encoding',
      'POST /v1/pets HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['chunks of HTTP/1.0', 'POST /v1/pets HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['a method that Node does not know', 'FOO /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n', 501],
    ['PROPFIND of a public path', 'PROPFIND /livez HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['QUERY of a public path', 'QUERY /readyz HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['a method that is no token', 'F{O /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    [
      'headers that are too large',
      `GET /v1/pets HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    ['2,000 small headers', `GET /v1/pets HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(2_000)}\r\n`, 431],
    ['10,000 query parameters', `GET /v1/pets?${'a=1&'.repeat(10_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['an unknown expectation', 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nExpect: magic\r\n\r\n', 417],
    ['a header name with a space', 'GET /v1/pets HTTP/1.1\r\nHost : a\r\n\r\n', 400],
    [
      'Content-Length beside Transfer-Encoding',
      'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
  ])('such as $0 gets $2 with an Error body and a log line', async (_what, bytes, status) => {
    const [response] = await sendRaw(app.origin, bytes, { count: 1 });
    expect(parseError(response).status).toBe(status);
    const requestId = response?.headers.get('x-request-id');
    expect(requestId).toBeTruthy();
    await expect.poll(() => app.logLines().filter((line) => line.requestId === requestId)).toHaveLength(1);
    await expectService();
  });
});

const Responses = z.record(z.string(), z.object({ headers: z.record(z.string(), z.unknown()).default({}) }));
const Document = z.object({
  paths: z.object({ '/pets/{petId}': z.object({ get: z.object({ responses: Responses }) }) }),
});

test.each([
  [400, 'Host: b\r\n'],
  [401, ''],
  [404, `Authorization: Bearer ${FIXED_KEY}\r\n`],
  [417, 'Expect: magic\r\n'],
  [431, `X: ${'a'.repeat(20_000)}\r\n`],
])(
  'a %i of getPet announces the deprecation exactly if the OpenAPI document says so',
  async (status, head) => {
    const bytes = `GET /v1/pets/1 HTTP/1.1\r\nHost: a\r\n${head}\r\n`;
    const [response] = await sendRaw(app.origin, bytes, { count: 1 });
    const { responses } = Document.parse(JSON.parse(renderOpenApi())).paths['/pets/{petId}'].get;
    expect(response?.status).toBe(status);
    expect(response?.headers.has('deprecation')).toBe('Deprecation' in (responses[status]?.headers ?? {}));
  },
);

describe('a body', () => {
  test('gets 413 when it is chunked without end, and is not buffered', async () => {
    const head = creationHead(app.apiKey, 'Transfer-Encoding: chunked');
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const before = process.memoryUsage().rss;
    const [response] = await sendRaw(app.origin, head + chunk.repeat(200), { count: 1 });
    expect(response?.status).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    await expectService();
  });

  test('of a refused request does not keep the connection open for long', async () => {
    const head = 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n';
    // sendRaw fails unless the server closes the connection within a minute.
    const responses = await sendRaw(app.origin, head);
    expect(responses.map(({ status }) => status)).toEqual([401]);
  });
});

test('an HTTP/1.0 request gets no interim response', async () => {
  const body = '{"name":"a","categoryId":1}';
  const headers = `Authorization: Bearer ${FIXED_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;
  const [response] = await sendRaw(app.origin, `POST /v1/pets HTTP/1.0\r\n${headers}${body}`, { count: 1 });
  expect(response?.status).toBe(201);
});

test('a CONNECT whose connection breaks does not break other connections', async () => {
  const socket = await openSocket(app.origin);
  socket.write('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  socket.resetAndDestroy();
  await setTimeout(100);
  await expectService();
});

test('a pipelined CONNECT gets its response after the response before it', async () => {
  const get = `GET /v1/pets?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.apiKey}\r\n\r\n`;
  const responses = await sendRaw(app.origin, `${get}CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(responses.map(({ status }) => status)).toEqual([200, 405]);
});

test('a request may take as long as its limit before its connection counts as idle', () => {
  expect(limits.inactivityMs).toBeGreaterThan(limits.requestTimeoutMs + limits.checkIntervalMs);
});
