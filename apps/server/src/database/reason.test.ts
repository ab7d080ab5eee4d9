import { expect, test } from 'vitest';
import { ConnectionError } from './connection-error.ts';
import { reasonOf } from './reason.ts';

test('the reason of a failure is one line, and names the causes of a lost connection', () => {
  const causes = [new Error('connect ECONNREFUSED ::1:1'), new Error('three\n  short\nlines')];
  const lost = new ConnectionError('connect', new AggregateError(causes, ''));
  expect(reasonOf(lost)).toBe('connect ECONNREFUSED ::1:1; three short lines');
  expect(reasonOf(new ConnectionError('busy'))).toBe('Too many callers wait for the database');
  expect(reasonOf('a text')).toBe('a text');
});
