import { expect, test } from 'vitest';
import { expectError, expectErrorBody } from './error-response.ts';

const error = { code: 'pet_not_found', message: 'No pet has this id', status: 404 };

function response(body: unknown, { status = 404, type = 'application/json' } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = new Headers({ 'content-type': type });
  const replay = { curl: 'curl', received: `${status} ${text}` };
  return { request: 'GET /v1/pets/1', url: '', status, headers, text, replay };
}

test('expectErrorBody accepts an Error body with or without a charset', () => {
  expect(expectErrorBody(response(error))).toEqual(error);
  expect(expectErrorBody(response(error, { type: 'application/json; charset=utf-8' }))).toEqual(error);
});

test('expectError accepts any code unless a check names those that it may be', () => {
  const other = response({ ...error, code: 'E_NOT_FOUND' });
  expect(() => expectError(other, 404)).not.toThrow();
  expect(() => expectError(other, 404, 'pet_not_found')).toThrow('the code pet_not_found');
});

test.each([
  ['another status', response(error, { status: 400 }), 'expected 404'],
  ['another media type', response(error, { type: 'application/json5' }), 'Content-Type application/json'],
  ['no JSON', response('<html>'), 'expected JSON'],
  ['a code that is no string', response({ ...error, code: 404 }), 'an Error body (code:'],
  ['a code that the contract lacks', response({ ...error, code: 'nope' }), 'the code pet_not_found'],
  ['no message', response({ ...error, message: undefined }), 'an Error body (message:'],
  ['a blank message', response({ ...error, message: ' ' }), 'a message'],
  ['another status in the body', response({ ...error, status: 400 }), 'the HTTP status in the Error body'],
  ['another code of the status', response({ ...error, code: 'path_not_found' }), 'the code pet_not_found'],
])('expectError refuses a response with %s', (_what, wrong, why) => {
  expect(() => expectError(wrong, 404, 'pet_not_found')).toThrow(why);
});
