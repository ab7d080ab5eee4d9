import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { loadTextFormat } from './log-text.ts';

const time = Date.UTC(2026, 10, 22, 10, 33, 18, 605);
const toText = await loadTextFormat();

test.each([
  [
    { level: 30, method: 'GET', route: '/v1/pets', status: 200, durationMs: 1.5, key: 'shop' },
    '[10:33:18.605] INFO: GET /v1/pets 200 1.5 ms {"key":"shop"}\n',
  ],
  [
    { level: 30, method: 'GET', path: '/x', status: 404, code: 'pet_not_found', durationMs: 1.5 },
    '[10:33:18.605] INFO: GET /x 404 pet_not_found 1.5 ms\n',
  ],
  [{ level: 40, refused: 1, msg: 'Too many' }, '[10:33:18.605] WARN: Too many {"refused":1}\n'],
  [{ level: 30, status: 400, msg: 'Malformed' }, '[10:33:18.605] INFO: Malformed 400\n'],
  [
    { level: 30, msg: 'a\u001b[2J\u009b2J\r\nforged' },
    '[10:33:18.605] INFO: a\ufffd[2J\ufffd2J\ufffd\ufffdforged\n',
  ],
  [
    { level: 30, method: 'GET', route: '/:x', path: '/\\u001b\\b', status: 404 },
    '[10:33:18.605] INFO: GET /\\u001b\\b 404\n',
  ],
])('a log line %o is shown as %s', (line, text) => {
  expect(stripVTControlCharacters(toText(`${JSON.stringify({ time, ...line })}\n`))).toBe(text);
});

test('a log line with an error shows its stack', () => {
  const err = { type: 'Error', message: 'a', stack: 'Error: a\n    at b\u001b[2J' };
  const text = toText(`${JSON.stringify({ level: 50, time, msg: 'It failed', err })}\n`);
  expect(text).toMatch(/ERROR.*: It failed/);
  expect(text).toMatch(/Error: a\n +at b\ufffd\[2J/);
});
