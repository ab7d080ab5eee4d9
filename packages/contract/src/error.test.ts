import { describe, expect, test } from 'vitest';
import { contract } from './contract.ts';
import { ErrorBody, ErrorCode, errorCodes, statusOf } from './error.ts';
import { commonErrorCodes } from './route-metadata.ts';

describe('the table of error codes', () => {
  test('gives the status of a code, as a literal type where the code is one', () => {
    const status: 404 = statusOf('pet_not_found');
    expect(status).toBe(404);
  });

  test('gives each code a status of an error and a description that can stand in a sentence', () => {
    for (const [code, { status, description }] of Object.entries(errorCodes)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThanOrEqual(599);
      expect(description).toMatch(/^[A-Z].*[^.]$/);
    }
  });

  test('is all that an Error body can carry', () => {
    expect(ErrorCode.options).toEqual(Object.keys(errorCodes));
    const body = { code: 'pet_not_found', message: 'No animal has the id 42.', status: 404 };
    expect(ErrorBody.parse(body)).toEqual(body);
    expect(ErrorBody.safeParse({ ...body, code: 'teapot' }).success).toBe(false);
    expect(ErrorBody.safeParse({ ...body, status: 200 }).success).toBe(false);
    expect(ErrorBody.safeParse({ ...body, message: undefined }).success).toBe(false);
  });
});

describe.each(Object.entries(contract.pets))('%s', (_operation, route) => {
  const codes = [...route.metadata.errorCodes, ...commonErrorCodes];
  const statuses = Object.keys(route.responses).map(Number);

  test('has a code for each of its error responses', () => {
    const withCode = new Set<number>(codes.map((code) => errorCodes[code].status));
    expect(statuses.filter((status) => status >= 400 && !withCode.has(status))).toEqual([]);
  });

  test('has a response for each code of its own', () => {
    for (const code of route.metadata.errorCodes) expect(statuses).toContain(errorCodes[code].status);
  });
});
