import { expect, test } from 'vitest';
import { parseHosts } from './hosts.ts';

test.each([
  ['postgres://u:p@a/db', ['postgres://u:p@a/db'], false],
  ['postgres://u:p@a/db?target_session_attrs=read-write', undefined, true],
  ['postgres://a,b,c/db', ['postgres://a/db', 'postgres://b/db', 'postgres://c/db'], true],
  [
    'postgresql://u:p%2C@[::1]:5432,b:5433/db?sslmode=require',
    ['postgresql://u:p%2C@[::1]:5432/db?sslmode=require', 'postgresql://u:p%2C@b:5433/db?sslmode=require'],
    true,
  ],
  ['postgres://a,b/db?target_session_attrs=any', undefined, false],
  ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql'], false],
])('%s names its hosts, and says whether only the primary will do', (url, urls, isPrimaryWanted) => {
  const hosts = parseHosts(url);
  expect(hosts?.isPrimaryWanted).toBe(isPrimaryWanted);
  if (urls) expect(hosts?.urls).toEqual(urls);
});

test.each(['mysql://a/db', 'postgres://a:x/db', 'postgres://a/db?target_session_attrs=standby'])(
  '%s cannot be used',
  (url) => {
    expect(parseHosts(url)).toBeUndefined();
  },
);
