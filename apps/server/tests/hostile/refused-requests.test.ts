import { openApiDocument } from '@petstore/contract/openapi';
import { creationBytes, creationHead, parseError } from '@petstore/test-support/pet-store-http';
import { bearer, openSocket, readResponses, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { expect, test } from 'vitest';
import { useApp } from '#support/app';

const app = await useApp();

/** Expects the next client to be served, whatever was sent before. */
const expectService = async () => expect((await app.request('/pets?limit=1')).status).toBe(200);

const key = bearer(app.apiKey);
const GET = 'GET /v1/pets HTTP/1.1\r\nHost: a\r\n';
const POST = 'POST /v1/pets HTTP/1.1\r\nHost: a\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
const MANY_CHUNKS = `10000\r\n${'a'.repeat(0x10000)}\r\n`.repeat(200);

test.each([
  ['a request without Host', 'GET /v1/pets HTTP/1.1\r\n\r\n', 400],
  ['a request with two Hosts', `${GET}Host: b\r\n\r\n`, 400],
  ['a fragment in a target', requestHead('GET /v1/pets#x'), 400],
  ['a fragment behind a backslash', requestHead('GET /v1\\pets#'), 400],
  ['an invalid Host', 'GET /v1/pets HTTP/1.1\r\nHost: a b/c@d\r\n\r\n', 400],
  ['two credentials', requestHead('GET /v1/pets', key, key), 401],
  ['a compressed transfer encoding', `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
  ['a chunked body of HTTP/1.0', `POST /v1/pets HTTP/1.0\r\nConnection: keep-alive\r\n${CHUNKED}`, 400],
  ['PROPFIND of a public path', requestHead('PROPFIND /livez'), 405],
  ['a method that is no token', requestHead('F{O /v1/pets'), 400],
  ['the beginning of M-SEARCH as a method', requestHead('M- /v1/pets'), 501],
  ['the beginning of GET_PARAMETER as a method', requestHead('GET_ /v1/pets'), 501],
  ['a method of RTSP', requestHead('PLAY /v1/pets'), 501],
  ['CONNECT', requestHead('CONNECT a:80'), 405],
  ['the request line of HTTP/2', 'GET /livez HTTP/2.0\r\nHost: a\r\n\r\n', 400],
  ['headers that are too large', `${GET}X: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  // By default Node accepts 1,000 headers, and reads 1,000 query parameters.
  ['2,000 small headers', `${GET}${'X: y\r\n'.repeat(2_000)}\r\n`, 431],
  ['limit=0 behind 1,000 others', requestHead(`GET /v1/pets?${'a&'.repeat(1_000)}limit=0`, key), 400],
  // 401: an empty Host is valid, a target without host or path is read as `*`, and the key is checked before the path.
  ['an absolute target without a host', requestHead('GET http://'), 401],
  ['an empty Host', 'GET /v1/pets HTTP/1.1\r\nHost:\r\n\r\n', 401],
  ['a fragment in an absolute target', requestHead('GET http://a/v1/pets#x'), 400],
  ['an absolute target with limit=0', requestHead('GET http://a/v1/pets?limit=0', key), 400],
  ['an absolute target without a path', requestHead('GET a://b'), 401],
  // `URL.parse` makes /v1/pets of these targets.
  ['backslashes in an absolute target', requestHead('GET http://a/x\\y\\..\\..\\v1/pets', key), 404],
  ['dot segments in an absolute target', requestHead('GET http://a/x/%2e%2e/./v1/pets', key), 404],
  ['a byte order mark', creationBytes(app.apiKey, '\xef\xbb\xbf{"name":"a","categoryId":1}'), 400],
  ['a chunked body without a type', `${POST}${key}\r\n${CHUNKED}`, 415],
  ['a chunked body with a length', `${POST}Content-Length: 3\r\n${CHUNKED}`, 400],
  ['a chunked body without end', creationHead(app.apiKey, 'Transfer-Encoding: chunked') + MANY_CHUNKS, 413],
])('$0 gets $2 with an Error body and a log line', async (_what, bytes, status) => {
  const [response] = await sendRaw(app.origin, bytes, { count: 1 });
  expect(parseError(response).status).toBe(status);
  if (status === 405) expect(response?.headers.get('allow')).toContain('GET, HEAD');
  // On an open connection, the chunks could count as further requests (RFC 9112, 6.1).
  if (/HTTP\/1\.0|gzip/.test(bytes)) expect(response?.headers.get('connection')).toBe('close');
  const requestId = response?.headers.get('x-request-id');
  expect(requestId).toBeTruthy();
  await expect.poll(() => app.logLines().filter((line) => line.requestId === requestId)).toHaveLength(1);
  await expectService();
});

// The conformance suite tries the other statuses.
test.each([
  [400, 'Host: b'],
  [417, 'Expect: magic'],
  [431, `X: ${'a'.repeat(20_000)}`],
])('a %i before the route of getPet is known has no Deprecation, as documented', async (status, header) => {
  const [response] = await sendRaw(app.origin, requestHead('GET /v1/pets/1', header), { count: 1 });
  expect([response?.status, response?.headers.has('deprecation')]).toEqual([status, false]);
  const stated = ['paths', '/pets/{petId}', 'get', 'responses', `${status}`, 'headers'];
  expect(openApiDocument()).toHaveProperty([...stated, 'X-Request-Id']);
  expect(openApiDocument()).not.toHaveProperty([...stated, 'Deprecation']);
});

test('after a complete response, bytes that are not HTTP get 400 and an unknown method gets 501, with the caller in the log line', async () => {
  for (const [request, bytes, ...statuses] of [
    [creationBytes(app.apiKey), 'NONSENSE\r\n\r\n', 201, 400],
    [requestHead('GET /openapi.json'), 'NONSENSE\r\n\r\n', 200, 400],
    [requestHead('GET /v1/pets?limit=1', key), 'NONSENSE\r\n\r\n', 200, 400],
    [requestHead('GET /livez'), requestHead('BREW /livez'), 200, 501],
    [creationBytes(app.apiKey), requestHead('BREW /livez'), 201, 501], // The body ends without a line break.
  ] as const) {
    const responses = await sendRaw(app.origin, request + bytes);
    expect(responses.map((response) => response.status)).toEqual(statuses);
    parseError(responses[1]);
    const line = expect.objectContaining({ status: statuses[1], caller: '127.0.0.1' });
    await expect.poll(() => app.logLines().slice(-2)).toContainEqual(line);
  }
});

test('bytes that are not HTTP get 400 on a half-closed connection, after the responses to the requests before them', async () => {
  const socket = await openSocket(app.origin, { allowHalfOpen: true });
  const list = requestHead('GET /v1/pets?limit=1', key);
  socket.end(`${list}${list}${creationBytes(app.apiKey)}NONSENSE\r\n\r\n`);
  expect((await readResponses(socket)).map(({ status }) => status)).toEqual([200, 200, 201, 400]);
});

const post = (body: string) => creationBytes(app.apiKey, body);
const postAs = (type: string) => post('').replace('application/json', type);

test.each([
  ['a string without end', post(`{"name":"${'\\"'.repeat(32_000)}`), 400],
  ['spaces in a media type', postAs(`application/json${' '.repeat(15_000)}x`), 415],
  ['spaces around a charset', postAs(`application/json;charset=utf-8${' '.repeat(15_000)}x`), 415],
  ['thousands of huge exponents', post(`[${'1e308,'.repeat(10_000)}1]`), 400],
])('$0 invites backtracking, and gets $2 within 50 ms of processor time', async (_what, bytes, status) => {
  // The service runs in this process. One cheap response is proof: other responses may take more time because garbage
  // is collected, or because the machine is busy.
  const measure = async () => {
    const start = process.cpuUsage();
    const [response] = await sendRaw(app.origin, bytes, { count: 1 });
    expect(parseError(response).status).toBe(status);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
  await expect.poll(measure).toBeLessThan(50);
});

test('an HTTP/1.0 request needs no Host, and gets no interim response', async () => {
  const request = creationBytes(app.apiKey).replace('1.1\r\nHost: a', '1.0\r\nExpect: 100-Continue');
  expect(await sendRaw(app.origin, request, { count: 1 })).toMatchObject([{ status: 201 }]);
});

test('a CONNECT whose connection is reset gets a log line, and does not break other connections', async () => {
  const socket = await openSocket(app.origin);
  socket.write(requestHead('CONNECT a:80'));
  // The server runs in this process, so it reads the request after the reset.
  socket.resetAndDestroy();
  await expect.poll(() => app.logLines().at(-1)).toMatchObject({ method: 'CONNECT', status: 499 });
  await expectService();
});
