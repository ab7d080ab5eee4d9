import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { listen } from '../src/servers/listen.ts';
import { parseError, parseResponses, sendRaw } from '../src/sockets/raw-http.ts';

const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe('parseResponses', () => {
  test('reads several responses, and 1xx, 204 and 304 without a body', () => {
    const text = `HTTP/1.1 100 Continue\r\n\r\n${ok('Ñandú')}HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n${ok('')}`;
    const responses = parseResponses(Buffer.from(text));
    expect(responses.map(({ status, body }) => [status, body])).toEqual([
      [100, ''],
      [200, 'Ñandú'],
      [304, ''],
      [200, ''],
    ]);
  });

  test.each([
    ['no HTTP', 'nonsense\r\n\r\n'],
    ['a header without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
    ['a header name with a space', 'HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n'],
    ['a response without a length', 'HTTP/1.1 200 OK\r\n\r\n'],
    ['a body that is too short', ok('four').slice(0, -1)],
    ['a body that is too long', `${ok('four')}!`],
  ])('refuses %s', (_what, text) => {
    expect(() => parseResponses(Buffer.from(text))).toThrow();
  });

  test('reads a response to HEAD, which has a length and no body', () => {
    const bytes = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n');
    expect(parseResponses(bytes, 'HEAD')).toMatchObject([{ status: 200, body: '' }]);
  });
});

describe('sendRaw', () => {
  test('waits for a response however late it comes, and returns after the number that was asked for', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.write(ok('one')));
      setTimeout(() => socket.write(ok('two') + ok('three').slice(0, 20)), 500);
    });
    await using listening = await listen(server);

    const responses = await sendRaw(listening.origin, 'GET / HTTP/1.1\r\n\r\n', { count: 2 });

    expect(responses.map(({ body }) => body)).toEqual(['one', 'two']);
  });

  test('returns what came when the server closes the connection', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.end(ok('last'))));
    await using listening = await listen(server);

    expect(await sendRaw(listening.origin, 'GET / HTTP/1.1\r\n\r\n')).toHaveLength(1);
  });
});

test('parseError refuses an Error body that states another status than its response', () => {
  const body = '{"code":"pet_not_found","message":"There is no such pet.","status":404}';
  const headers = new Headers({ 'content-type': 'application/json' });
  expect(parseError({ status: 404, headers, body }).code).toBe('pet_not_found');
  expect(() => parseError({ status: 400, headers, body })).toThrow('An error with status 400 states another');
});
