import { expect, test } from 'vitest';
import { expectError } from './error-response.ts';

const error = { code: 'pet_not_found', message: 'No pet has this id', status: 404 };

function response(body: unknown, { status = 404, type = 'application/json' } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { request: 'GET /v1/pets/1', url: '', status, headers: new Headers({ 'content-type': type }), text };
}

test('expectError accepts an Error body with or without a charset', () => {
  expect(expectError(response(error), 404, 'pet_not_found')).toEqual(error);
  expect(expectError(response(error, { type: 'application/json; charset=utf-8' }), 404)).toEqual(error);
});

test('expectError accepts a code that a newer service may have', () => {
  expect(expectError(response({ ...error, code: 'pet_adopted' }), 404)).toHaveProperty('code', 'pet_adopted');
});

test.each([
  ['another status', response(error, { status: 400 }), 'expected 404'],
  ['another media type', response(error, { type: 'application/json5' }), 'Content-Type application/json'],
  ['no JSON', response('<html>'), 'expected JSON'],
  ['a code that is no string', response({ ...error, code: 404 }), 'an Error body (code:'],
  ['a code that the contract lacks', response({ ...error, code: 'nope' }), 'the code pet_not_found'],
  ['no message', response({ ...error, message: undefined }), 'an Error body (message:'],
  ['a blank message', response({ ...error, message: ' ' }), 'a message'],
  ['another status in the body', response({ ...error, status: 400 }), 'status 404 in the Error body'],
  ['a code of another status', response({ ...error, code: 'invalid_body' }), 'a code of status 404'],
  ['another code of the status', response({ ...error, code: 'path_not_found' }), 'the code pet_not_found'],
])('expectError refuses a response with %s', (_what, wrong, why) => {
  expect(() => expectError(wrong, 404, 'pet_not_found')).toThrow(why);
});

test('a message shows the response, and of a long body only the first 200 characters', () => {
  const long = response('x'.repeat(1_000), { status: 200 });
  expect(() => expectError(long, 404)).toThrow(/^expected 404, but GET \/v1\/pets\/1 returned 200 x{200}…$/);
});
