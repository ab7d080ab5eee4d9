import { expect, test } from 'vitest';
import { toTable } from './key-list.ts';

const key = {
  hash: 'a',
  scope: 'write',
  createdAt: Date.parse('2027-01-31T12:00Z'),
  rateLimit: undefined,
  endsAt: undefined,
  endReason: undefined,
  lastUsedAt: undefined,
} as const;

test('the table of keys fits the terminal, and lines up in a pipe', () => {
  const keys = ['shop', 'a-name-of-many-letters'].map((name) => ({ ...key, name }));
  const whole = toTable(keys, Infinity).split('\n');
  expect(new Set(whole.map((line) => line.search(/SCOPE|write/)))).toEqual(new Set([24]));
  const cut = toTable(keys, 40).split('\n');
  expect(cut.map((line) => line.length)).toEqual([40, 40, 40]);
  expect(cut[2]).toMatch(/^a-name-of-many-letters {2}write.*…$/);
});
