import { expect, test, vi } from 'vitest';
import {
  AbortError,
  isPetStoreError,
  NetworkError,
  PetStoreError,
  ServiceError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts';

const details = { isRetryable: true, requestId: 'r-1', idempotencyKey: 'k-1', retryAfterMs: 1_000 };
const cause = new Error('why');

const errors = [
  new ServiceError('Sorry.', { ...details, code: 'pet_not_found', status: 404, cause }),
  new NetworkError('Sorry.', { ...details, code: 'network_error', status: undefined, cause }),
  new TimeoutError('Sorry.', { ...details, code: 'timeout', status: undefined, cause }),
  new AbortError('Sorry.', { ...details, code: 'aborted', status: undefined, cause }),
  new UnexpectedResponseError('Sorry.', { ...details, code: 'unexpected_response', status: 502, cause }),
];

test.each(errors)('$name is a PetStoreError with its details', (error) => {
  expect(error).toBeInstanceOf(PetStoreError);
  expect(error).toMatchObject({ ...details, message: 'Sorry.', cause });
  expect(isPetStoreError(error)).toBe(true);
  expect(error.name).toBe(error.constructor.name);
  // JSON.stringify omits the message of an ordinary Error, which JSON logs need.
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ ...details, message: 'Sorry.' });
});

test('isPetStoreError recognises errors of another copy of this package', async () => {
  vi.resetModules();
  const copy = await import('./errors.ts');
  const error = new copy.ServiceError('Sorry.', { code: 'stopping', status: 503, isRetryable: true });
  expect(error).not.toBeInstanceOf(ServiceError);
  expect(isPetStoreError(error)).toBe(true);
  for (const other of [undefined, {}, new Error('x')]) expect(isPetStoreError(other)).toBe(false);
});
