import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseDuration, parseExpiry } from './times.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 22, 12);

beforeEach(() => void vi.setSystemTime(NOW));
afterEach(() => void vi.useRealTimers());

test.each([
  ['45s', 45_000],
  ['24h', 24 * HOUR_MS],
  ['90d', 90 * 24 * HOUR_MS],
  ['2w', 14 * 24 * HOUR_MS],
])('%s is a duration', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
  expect(parseExpiry(text)).toBe(NOW + milliseconds);
});

test.each([
  ['2027-01-31', Date.UTC(2027, 0, 31)],
  ['2027-01-31T12:30Z', Date.UTC(2027, 0, 31, 12, 30)],
  ['2027-01-31T12:30:15+02:00', Date.UTC(2027, 0, 31, 10, 30, 15)],
])('%s is a time in the future', (text, time) => {
  expect(parseExpiry(text)).toBe(time);
});

test.each(['', '0d', '-1d', '1.5h', '24', 'h', '1y', '24 h', '24H', '2027-01-31'])(
  '%o is not a duration',
  (text) => {
    expect(() => parseDuration(text)).toThrow(/^"[^\n]*" is not a duration: [^\n]+$/);
  },
);

test.each([
  ...['', '0d', '1y', 'tomorrow', '2027-13-01', '2027-02-31', '2027-02-31T12:30Z'],
  ...['2027-01-31T12:30', '31.01.2027', '1767225600'],
])('%o is not a time in the future', (text) => {
  expect(() => parseExpiry(text)).toThrow(/^"[^\n]*" is not a time: [^\n]+$/);
});

test.each(['2026-11-22', '2026-11-22T12:00Z', '2020-01-01'])('%s is in the past', (text) => {
  expect(() => parseExpiry(text)).toThrow(/ is not in the future$/);
});
