import { expect, test } from 'vitest';
import { splitHosts } from './database-url.ts';

test.each([
  ['postgres://a,b,c/db', ['postgres://a/db', 'postgres://b/db', 'postgres://c/db']],
  [
    'postgresql://u:p%2C@[::1]:5432,b:5433/db?sslmode=require',
    ['postgresql://u:p%2C@[::1]:5432/db?sslmode=require', 'postgresql://u:p%2C@b:5433/db?sslmode=require'],
  ],
  ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql']],
])('%s is split into one URL for each host', (url, urls) => {
  expect(splitHosts(url)).toEqual(urls);
});
