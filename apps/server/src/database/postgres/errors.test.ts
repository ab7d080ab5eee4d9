import pg from 'pg';
import { expect, test } from 'vitest';
import { classify } from './errors.ts';

test.each([
  ['08006 25006 40001 42703 42P01 53100 53200 55P03 57014 58030', 'unavailable'],
  ['22003 2200H', 'exhausted'],
  ['23503 23505 23514 P0001', 'refused'],
  ['22012 42501', undefined],
])('errors with the SQLSTATE %s count as %s', (codes, expected) => {
  for (const code of codes.split(' ')) {
    const error = Object.assign(new pg.DatabaseError('', 0, 'error'), { code });
    expect([code, classify(error)]).toEqual([code, expected]);
  }
});
