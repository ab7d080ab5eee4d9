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

test('the columns of a table line up, even with more keys than a call can have arguments', () => {
  const others = Array(200_000).fill(key);
  const lines = toTable([key, { ...key, name: 'a-name-of-many-letters' }, ...others]).split('\n');
  const lastColumn = lines[0]?.indexOf('LAST USED');
  expect(lines.map((line) => line.search(/LAST USED|never/))).toEqual(Array(200_003).fill(lastColumn));
  expect(lines[1]).toMatch(/^shop +write +default +valid +2027-01-31T12:00Z +never$/);
});

test('the JSON of keys has null for each missing value, and a state that tells why a key has ended', () => {
  const [now, later] = [Date.now(), Date.now() + 60_000];
  const keys = {
    valid: { ...key, ends_at: later, end_reason: 'expired' },
    expired: { ...key, ends_at: now, end_reason: 'expired' },
    revoked: { ...key, ends_at: now, end_reason: 'revoked' },
    ended: { ...key, ends_at: now },
  };
  const states = Object.keys(keys).map((state) => ({ state }));
  expect(JSON.parse(toJson(Object.values(keys)))).toMatchObject(states);
  const time = '2027-01-31T12:00:00.000Z';
  const valid = { name: 'shop', scope: 'write', state: 'valid', createdAt: time, endsAt: null };
  expect(JSON.parse(toJson([key, { ...key, rate_limit: '20/10', last_used_at: key.created_at }]))).toEqual([
    { ...valid, rateLimit: null, lastUsedAt: null },
    { ...valid, rateLimit: '20/10', lastUsedAt: time },
  ]);
});
