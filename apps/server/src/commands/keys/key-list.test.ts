import { expect, test } from 'vitest';
import { toJson, toTable } from './key-list.ts';

const key = {
  hash: 'a',
  name: 'shop',
  scope: 'write',
  created_at: Date.parse('2027-01-31T12:00Z'),
  rate_limit: null,
  ends_at: null,
  end_reason: null,
  last_used_at: null,
} as const;

test('the table of keys fits the terminal, and lines up in a pipe', () => {
  const keys = ['shop', 'a-name-of-many-letters'].map((name) => ({ ...key, name }));
  const whole = toTable(keys, Infinity).split('\n');
  expect(new Set(whole.map((line) => line.search(/SCOPE|write/)))).toEqual(new Set([24]));
  expect(whole[1]).toMatch(/^shop +write +default +valid +2027-01-31T12:00Z +never$/);
  const cut = toTable(keys, 40).split('\n');
  expect(cut.map((line) => line.length)).toEqual([40, 40, 40]);
  expect(cut[2]).toMatch(/^a-name-of-many-letters {2}write.*…$/);
});

test('the JSON of keys has null for each missing value, and why a key has ended', () => {
  const [now, later] = [Date.now(), Date.now() + 60_000];
  const states = [
    { ...key, ends_at: later, end_reason: 'expired' },
    { ...key, ends_at: now, end_reason: 'expired' },
    { ...key, ends_at: now, end_reason: 'revoked' },
    { ...key, ends_at: now },
  ];
  expect(JSON.parse(toJson(states))).toMatchObject(
    ['valid', 'expired', 'revoked', 'ended'].map((state) => ({ state })),
  );
  expect(JSON.parse(toJson([{ ...key, rate_limit: '20/10', last_used_at: key.created_at }]))).toEqual([
    {
      name: 'shop',
      scope: 'write',
      rateLimit: '20/10',
      state: 'valid',
      createdAt: '2027-01-31T12:00:00.000Z',
      endsAt: null,
      lastUsedAt: '2027-01-31T12:00:00.000Z',
    },
  ]);
});
