import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { privileges } from './privileges.ts';

test('grants.sql gives the role that serves exactly the privileges that a start requires', () => {
  const grants = readFileSync(new URL('../../../../../deploy/postgres/grants.sql', import.meta.url), 'utf8');
  const lines = grants.matchAll(/^ {2}grant (.+) on (?:sequence )?(\w+) to petstore_serve;$/gm);
  const given = Object.fromEntries(Array.from(lines, ([, list = '', name]) => [name, list.split(', ')]));
  // A start reads Kysely's own table before it asserts the privileges.
  expect(given).toEqual({ kysely_migration: ['select'], ...privileges });
});
