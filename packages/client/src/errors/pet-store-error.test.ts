import { expect, test, vi } from 'vitest';
import {
  isNoAnswerError,
  isPetStoreError,
  isServiceError,
  isUnexpectedAnswerError,
  NoAnswerError,
  PetStoreError,
  ServiceError,
  UnexpectedAnswerError,
} from './index.ts';

const details = { retryable: true, requestId: 'r-1', idempotencyKey: 'k-1', retryAfterMs: 1_000 };
const cause = new Error('why');

const errors = [
  new ServiceError('Sorry.', { ...details, code: 'pet_not_found', status: 404, cause }),
  new NoAnswerError('Sorry.', { ...details, code: 'timeout', status: undefined, cause }),
  new UnexpectedAnswerError('Sorry.', { ...details, code: 'unexpected_answer', status: 502, cause }),
];

test.each(errors)('a $name is a PetStoreError, and of no other kind', (error) => {
  expect(error).toBeInstanceOf(PetStoreError);
  expect(error).toMatchObject({ ...details, message: 'Sorry.', cause });
  expect(isPetStoreError(error)).toBe(true);
  const kinds = {
    ServiceError: isServiceError,
    NoAnswerError: isNoAnswerError,
    UnexpectedAnswerError: isUnexpectedAnswerError,
  };
  for (const [name, isKind] of Object.entries(kinds)) expect(isKind(error)).toBe(name === error.name);
});

test('an error as JSON has its message too', () => {
  const [error] = errors;
  const shown = { ...details, name: 'ServiceError', message: 'Sorry.', code: 'pet_not_found', status: 404 };
  expect(JSON.parse(JSON.stringify({ error }))).toEqual({ error: shown });
});

test('errors of another copy of this package are known as well', async () => {
  vi.resetModules();
  const copy = await import('./index.ts');
  const error = new copy.ServiceError('Sorry.', { code: 'stopping', status: 503, retryable: true });
  expect(error).not.toBeInstanceOf(ServiceError);
  expect(isPetStoreError(error)).toBe(true);
  expect(isServiceError(error)).toBe(true);
});

test.each([
  undefined,
  null,
  'error',
  {},
  new Error('x'),
  Object.assign(new Error('x'), { name: 'ServiceError' }),
])('%o is none', (error) => {
  expect(isPetStoreError(error)).toBe(false);
  expect(isServiceError(error)).toBe(false);
});
