import { stripVTControlCharacters } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { loadTextFormat } from './log-text.ts';

vi.stubEnv('TZ', 'Asia/Tokyo');
afterAll(() => void vi.unstubAllEnvs());

const time = Date.UTC(2026, 10, 22, 10, 33, 18, 605);
const toText = await loadTextFormat();

const request = { level: 30, method: 'GET', durationMs: 1.5 };

test.each([
  [
    { ...request, route: '/v1/pets', status: 200, key: 'shop' },
    'INFO: GET /v1/pets 200 1.5 ms {"key":"shop"}',
  ],
  [{ ...request, path: '/x', status: 404, code: 'not_found' }, 'INFO: GET /x 404 not_found 1.5 ms'],
  // A backslash in a path begins no escape.
  [{ ...request, route: '/:x', path: '/\\u001b\\b', status: 404 }, 'INFO: GET /\\u001b\\b 404 1.5 ms'],
  [{ level: 40, refused: 1, msg: 'Too many' }, 'WARN: Too many {"refused":1}'],
  [{ ...request, method: '', path: '*', status: 400 }, 'INFO: * 400 1.5 ms'],
  [{ level: 30, msg: 'a\u001b[2J\u009b2J\r\n\nforged' }, 'INFO: a\ufffd[2J\ufffd2J\ufffd\ufffd\ufffdforged'],
])('a log line %o is shown as its time in UTC and %s', (line, text) => {
  const shown = stripVTControlCharacters(toText(`${JSON.stringify({ time, ...line })}\n`));
  expect(shown).toBe(`[10:33:18.605] ${text}\n`);
});

test('a log line with an error shows its stack without control characters', () => {
  const err = { type: 'Error', message: 'a', stack: 'Error: a\n    at b\u001b[2J' };
  const text = toText(`${JSON.stringify({ level: 50, time, msg: 'It failed', err })}\n`);
  expect(text).toMatch(/ERROR.*: It failed/);
  expect(text).toMatch(/Error: a\n +at b\ufffd\[2J/);
});
