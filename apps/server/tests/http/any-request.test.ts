import { sizeLimits } from '@petstore/contract';
import { creationHead, parseError } from '@petstore/test-support/pet-store-http';
import { bearer, openSocket, readResponses, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { chooseSeed } from '@petstore/test-support/seed';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';

/** Bytes that are dangerous for parsers of HTTP, paths, queries and JSON. */
const DISRUPTIONS = [
  ['', '\r\n\r\n', '\n', '\0', ':', '\u00ff', 'ffffffffffffffff\r\n', 'A'.repeat(20_000)],
  ['Content-Length: 5\r\n', 'Content-Length: -1\r\n', 'Transfer-Encoding: gzip, chunked\r\n'],
  ['Connection: upgrade\r\nUpgrade: h2c\r\n', 'GET /v1/pets HTTP/1.1\r\n\r\n', 'X: y\r\n'.repeat(3_000)],
  ['%', '%ff', '%00', '%2F', '/', '\\', '?', '&limit=0', '&cursor=MA', '&status=Sold', '&__proto__=1'],
  ['Content-Encoding: gzip\r\n', 'Content-Type: text/plain\r\n', 'Expect: 100-continue\r\n'],
  ['Idempotency-Key: "a"\r\n', 'If-None-Match: *\r\n', 'If-Match: W/"a"\r\n', 'Range: bytes=0-1\r\n'],
  ['"', '{', ',', 'NaN', '1e999', '\\ud800', '9'.repeat(40)],
].flat();

const change = fc.record({
  // Where it begins: a share of the length, or the text before it. If the request lacks the text, its first bytes change.
  at: fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.constantFrom('/pets', 'limit=3', '\r\n', ': ', 'Bearer ', '{', '"name":"', '"categoryId":'),
  ),
  // Half of the changes only insert bytes.
  removed: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
  inserted: fc.oneof(
    fc.constantFrom(...DISRUPTIONS).map((text) => Buffer.from(text, 'latin1')),
    fc.uint8Array({ maxLength: 8 }),
  ),
});

test('requests whose bytes are changed at random get responses of the contract, and no 5xx but 501', async () => {
  // When it is disposed, the app checks that the contract states the code of each error for its operation.
  await using app = await startApp();
  const pet = '{"name":"Ñandú","categoryId":7,"status":"sold"}';
  const length = Buffer.byteLength(pet);
  const post = (body: string, ...headers: string[]) =>
    Buffer.from(creationHead(app.apiKey, ...headers) + body);
  const close = 'Connection: close';
  const sized = `Content-Length: ${length}`;
  const chunks = `${length.toString(16)}\r\n${pet}\r\n0\r\n\r\n`;
  const get = (path: string) => Buffer.from(requestHead(`GET ${path}`, bearer(app.apiKey), close));
  const posts = [post(pet, close, sized), post(chunks, close, 'Transfer-Encoding: chunked')];
  const requests = [...posts, get('/v1/pets?limit=3'), get('/v1/pets/1')];
  for (const bytes of requests) expect((await sendRaw(app.origin, bytes))[0]?.status).toBeOneOf([200, 201]);
  const pipelined = Buffer.concat([post(pet, 'Connection: keep-alive', sized), ...requests]);
  // A changed request may be incomplete. After it come bytes beyond every limit, so that the server need not wait for more.
  const surplus = Buffer.alloc(sizeLimits.head + sizeLimits.body, 'x');
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...requests, pipelined),
      fc.array(change, { minLength: 1, maxLength: 2 }),
      async (bytes, changes) => {
        const changed = changes.reduce((before, { at, removed, inserted }) => {
          const start =
            typeof at === 'number' ? Math.floor(at * before.length) : before.indexOf(at) + at.length;
          return Buffer.concat([before.subarray(0, start), inserted, before.subarray(start + removed)]);
        }, bytes);
        const socket = await openSocket(app.origin);
        // After its last response the server discards input for a while, unless the client ends the connection.
        socket.on('data', (chunk: Buffer) => {
          if (chunk.includes('\r\nConnection: close\r\n')) socket.end();
        });
        socket.write(Buffer.concat([changed, surplus]));
        for (const response of await readResponses(socket)) {
          const { status, body } = response;
          // Responses to an unknown method have the status 501.
          if (status !== 501) expect(status, body).toBeLessThan(500);
          if (status >= 400) parseError(response);
          statuses.add(status);
        }
      },
    ),
    { seed: chooseSeed('property'), numRuns: 400 },
  );
  // Without these statuses the changes would have tested too little. The rarest, 401, comes about ten times.
  expect([...statuses]).toEqual(expect.arrayContaining([201, 400, 401]));
  expect((await fetch(`${app.origin}/readyz`)).status).toBe(200);
});
