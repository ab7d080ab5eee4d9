import { sizeLimits } from '@petstore/contract';
import { runTool } from '@petstore/test-support/programs';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { expect, test } from 'vitest';
import { type SendOptions, sendOnce } from './send.ts';

const API_KEY = "it's a $KEY";
const READ_API_KEY = 'pst_read';
const env = { PATH: process.env.PATH, PETSTORE_API_KEY: API_KEY, PETSTORE_READ_API_KEY: READ_API_KEY };

/** The request headers that the suite itself sets. */
const SUITE_HEADERS = ['authorization', 'content-type', 'idempotency-key', 'x-request-id'];

const requests: [what: string, method: string, path: string, options: SendOptions][] = [
  ['a query', 'GET', '/pets?limit=1&status=sold', {}],
  ['a path with percent-encoding', 'GET', '/pets/%2B1', {}],
  ['HEAD', 'HEAD', '/pets', {}],
  ['no key', 'GET', '/pets', { authorization: null }],
  ['an empty Authorization', 'GET', '/pets', { authorization: '' }],
  ['a key without a scheme', 'GET', '/pets', { authorization: READ_API_KEY }],
  ['the key that may only read', 'GET', '/pets', { authorization: `Bearer ${READ_API_KEY}` }],
  ['a longer key', 'GET', '/pets', { authorization: `Bearer ${READ_API_KEY}x` }],
  ['a header with quotes', 'GET', '/pets', { headers: { 'X-Request-Id': `"it's" $HOME` } }],
  ['no body', 'POST', '/pets', {}],
  ['a body with quotes', 'POST', '/pets', { json: { name: `it's 'an' "Ñandú" \\ $HOME` } }],
  ['a body with line breaks', 'POST', '/pets', { body: '{\n}\r\n' }],
  ['a body with other line separators', 'POST', '/pets', { body: '\u2028\u2029' }],
  ['a body of bytes', 'POST', '/pets', { body: Uint8Array.of(0, 255, 10) }],
  ['a body that curl could take for a file name', 'POST', '/pets', { body: '@file' }],
  ['a body above the limit', 'POST', '/pets', { body: 'x'.repeat(sizeLimits.body + 1) }],
  ['a body that is sent in two parts', 'POST', '/pets', { body: '{"name":"', pauseSeconds: 1 }],
  ['a long body in two parts', 'POST', '/pets', { body: 'x'.repeat(3_000), pauseSeconds: 1 }],
  ['another media type', 'POST', '/pets', { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
];

test.each(requests)(
  'a shell that runs the curl line of a request with %s repeats the request',
  async (_what, method, path, options) => {
    const received: unknown[] = [];
    await using server = await serveFetch(async (url, { method, headers, body }) => {
      const all = new Headers(headers);
      const sent = Buffer.from(await new Response(body ?? '').arrayBuffer()).toString('hex');
      received.push({ method, url, headers: SUITE_HEADERS.map((name) => all.get(name)), sent });
      return new Response('[]');
    });
    const target = { baseUrl: server.baseUrl, apiKey: API_KEY, readApiKey: READ_API_KEY, fetch };
    const { replay } = await sendOnce(target, method, path, options);
    for (const key of [API_KEY, READ_API_KEY]) expect(replay.curl).not.toContain(key);
    expect(replay.curl.length).toBeLessThan(3_000);
    expect(await runTool('sh', ['-c', replay.curl], { env })).toMatch(/^HTTP\/1\.1 200 OK\r\n/m);
    expect(received).toEqual([received[0], received[0]]);
  },
);
