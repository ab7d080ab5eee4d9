import { expect, test, vi } from 'vitest';
import { isPetStoreError, ServiceError } from './errors.ts';

test('the JSON of an error has its details and its message, which JSON logs need, but no cause', () => {
  const required = { code: 'pet_not_found', status: 404, isRetryable: false };
  const details = { ...required, requestId: 'r-1', idempotencyKey: 'k-1', retryAfterMs: 1 };
  const error = new ServiceError('Sorry.', { ...details, cause: new Error('why') });
  expect(JSON.parse(JSON.stringify(error))).toEqual({ name: 'ServiceError', ...details, message: 'Sorry.' });
});

test('isPetStoreError recognises errors of another copy of this package', async () => {
  vi.resetModules();
  const copy = await import('./errors.ts');
  const error = new copy.ServiceError('Sorry.', { code: 'stopping', status: 503, isRetryable: true });
  expect(error).not.toBeInstanceOf(ServiceError);
  expect(isPetStoreError(error)).toBe(true);
  for (const other of [undefined, {}, new Error('x')]) expect(isPetStoreError(other)).toBe(false);
});
