import { expect, test, vi } from 'vitest';
import { parseDuration, parseExpiry } from './times.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 22, 12);

test.each([
  ['45s', 45_000],
  ['24h', 24 * HOUR_MS],
  ['90d', 90 * 24 * HOUR_MS],
  ['2w', 14 * 24 * HOUR_MS],
  ['99999m', 99_999 * 60_000],
])('%s is a duration, and an expiry from now', (text, milliseconds) => {
  vi.setSystemTime(NOW);
  expect(parseDuration(text)).toBe(milliseconds);
  expect(parseExpiry(text)).toBe(NOW + milliseconds);
});

const refused = ['', '0d', '-1d', '1.5h', '24', 'h', '1y', '24 h', '24H', '100000s', '2027-01-31'];
test.each(refused)('%o is not a duration', (text) => {
  expect(() => parseDuration(text)).toThrow(/^"[^\n]*" is not a duration: [^\n]+$/);
});
