import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { toText } from './log-text.ts';

const time = Date.UTC(2026, 10, 22, 10, 33, 18, 605);

test.each([
  [
    {
      level: 30,
      requestId: 'r-1',
      method: 'GET',
      route: '/v1/pets',
      status: 200,
      durationMs: 1.5,
      key: 'shop',
    },
    '10:33:18.605 GET /v1/pets 200 1.5 ms requestId=r-1 key=shop\n',
  ],
  [
    {
      level: 30,
      requestId: 'r-1',
      method: 'GET',
      path: '/x',
      status: 404,
      code: 'pet_not_found',
      durationMs: 1.5,
      databaseMs: 1.2,
    },
    '10:33:18.605 GET /x 404 pet_not_found 1.5 ms requestId=r-1 databaseMs=1.2\n',
  ],
  [{ level: 40, refused: 1, msg: 'Too many' }, '10:33:18.605 WARN Too many refused=1\n'],
  [{ level: 30, status: 400, msg: 'Malformed' }, '10:33:18.605 Malformed status=400\n'],
  [
    {
      level: 50,
      msg: 'It failed',
      err: { type: 'Error', message: 'a', stack: 'Error: a\n    at b\u001b[2J' },
    },
    '10:33:18.605 ERROR It failed\nError: a\n    at b\ufffd[2J\n',
  ],
  [{ level: 30, msg: 'a\u001b[2J\nforged' }, '10:33:18.605 a\ufffd[2J\ufffdforged\n'],
])('toText formats %o as %s', (line, text) => {
  expect(stripVTControlCharacters(toText(`${JSON.stringify({ time, ...line })}\n`))).toBe(text);
});

test('toText leaves text that is not a JSON log line unchanged', () => {
  expect(toText('A first API key was issued.\n')).toBe('A first API key was issued.\n');
});
