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

const kinds = [
  { Kind: ServiceError, isKind: isServiceError, code: 'pet_not_found' },
  { Kind: NoAnswerError, isKind: isNoAnswerError, code: 'timeout' },
  { Kind: UnexpectedAnswerError, isKind: isUnexpectedAnswerError, code: 'unexpected_answer' },
] as const;

test.each(kinds)('$Kind.name is a PetStoreError, and no other kind of one', ({ Kind, isKind, code }) => {
  const cause = new Error('why');
  const details = { code, retryable: true, status: 500, requestId: 'r-1', idempotencyKey: 'k-1', cause };
  const error = new Kind('Sorry.', details);
  expect(error).toBeInstanceOf(PetStoreError);
  expect(error).toMatchObject({ ...details, name: Kind.name, message: 'Sorry.' });
  expect(isPetStoreError(error)).toBe(true);
  for (const kind of kinds) expect(kind.isKind(error)).toBe(kind.isKind === isKind);
});

test('errors of another copy of this package are known as well', async () => {
  vi.resetModules();
  const copy = await import('./index.ts');
  const error = new copy.ServiceError('Sorry.', { code: 'stopping', retryable: true });
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
