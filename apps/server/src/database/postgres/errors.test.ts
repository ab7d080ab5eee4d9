import pg from 'pg';
import { expect, test } from 'vitest';
import { classify, isResponse, isRetryable } from './errors.ts';

/** @param text a SQLSTATE, or after a slash also the routine of PostgreSQL that raises the error */
const errorOf = (text: string) =>
  Object.assign(new pg.DatabaseError('', 0, 'error'), { code: text.slice(0, 5), routine: text.slice(6) });

test.each([
  ['an outage', '08006 25006 40001 53100 53200 55P03 57014 58030', 'unavailable'],
  ['a transaction whose time is over, with FATAL in any language', '25P03 25P04', 'unavailable'],
  ['a schema that another program changes', '42703 42704 42P01', 'unavailable'],
  ['ids that are used up', '22003 2200H', 'exhausted'],
  ['a refused value', '22001 22P02 23503 23505 23514 23P01 54000 P0001', 'refused'],
  ['privileges or damaged data', '42501 XX001 XX002', 'blocked'],
  ['no transaction id or a full queue', '54000/GetNewTransactionId 54000/PreCommit_Notify', 'unavailable'],
  ['a bug', '22012', undefined],
])('errors of %s, with the SQLSTATE %s, count as %s', (_cause, codes, expected) => {
  for (const code of codes.split(' ')) expect([code, classify(errorOf(code))]).toEqual([code, expected]);
});

test('an error that refuses a connection, such as a wrong password or a missing privilege, counts as unavailable, and so does a taken id', () => {
  for (const code of ['28P01', '42501'])
    expect(classify(Object.assign(errorOf(code), { severity: 'FATAL' }))).toBe('unavailable');
  // Another program has taken the id. The next one may be free.
  expect(classify(Object.assign(errorOf('23505'), { constraint: 'pets_pkey' }))).toBe('unavailable');
});

test('conflicts and prepared statements of another session are retried, timeouts are not, and the end or the start of a server counts as a lost connection', () => {
  const retried = ['26000', '40001', '40P01', '42P05'];
  expect([...retried, '55P03', '57014'].filter((code) => isRetryable(errorOf(code)))).toEqual(retried);
  expect(['57P01', '57P02', '57P03', '57014'].filter((code) => isResponse(errorOf(code)))).toEqual(['57014']);
});
