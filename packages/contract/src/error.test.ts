import { describe, expect, test } from 'vitest';
import { ErrorBody } from './error.ts';
import { v1 } from './v1/v1.ts';
import type { Version } from './version.ts';

describe('ErrorBody', () => {
  const body = { code: 'pet_not_found', message: 'No pet has the id 42.', status: 404 };

  test('accepts a code of this release and a code of a newer one', () => {
    expect(ErrorBody.parse(body)).toEqual(body);
    expect(ErrorBody.parse({ ...body, code: 'teapot' })).toEqual({ ...body, code: 'teapot' });
  });

  test.each([
    ['a code that is no string', { code: 5 }],
    ['no code', { code: undefined }],
    ['the status of a success', { status: 200 }],
    ['no message', { message: undefined }],
  ])('refuses %s', (_what, wrong) => {
    expect(ErrorBody.safeParse({ ...body, ...wrong }).success).toBe(false);
  });
});

const { contract }: Version = v1;
const operations = Object.values(contract).flatMap((resource) => Object.entries(resource));

describe.each(operations)('%s', (_operation, route) => {
  test('can refuse an API key for its scope if and only if it writes', () => {
    const { scope, errorCodes } = route.metadata;
    expect(errorCodes.some((code) => code === 'insufficient_scope')).toBe(scope === 'write');
  });
});
