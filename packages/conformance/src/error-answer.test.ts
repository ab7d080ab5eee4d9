import { expect, test } from 'vitest';
import { expectError } from './error-answer.ts';

const error = { code: 'pet_not_found', message: 'No animal has this id', status: 404 };

function answer(body: unknown, { status = 404, type = 'application/json' } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { request: 'GET /v1/pets/1', url: '', status, headers: new Headers({ 'content-type': type }), text };
}

test('An Error body is taken with or without a charset', () => {
  expect(expectError(answer(error), 404, 'pet_not_found')).toEqual(error);
  expect(expectError(answer(error, { type: 'application/json; charset=utf-8' }), 404)).toEqual(error);
});

test.each([
  ['another status', answer(error, { status: 400 }), 'expected 404'],
  ['another media type', answer(error, { type: 'application/json5' }), 'Content-Type application/json'],
  ['no JSON', answer('<html>'), 'expected JSON'],
  ['a code that is no string', answer({ ...error, code: 404 }), 'an Error body (code:'],
  ['a code that the contract lacks', answer({ ...error, code: 'nope' }), 'the code pet_not_found'],
  ['no message', answer({ ...error, message: undefined }), 'an Error body (message:'],
  ['a blank message', answer({ ...error, message: ' ' }), 'a message'],
  ['another status in the body', answer({ ...error, status: 400 }), 'status 404 in the Error body'],
  ['a code of another status', answer({ ...error, code: 'invalid_body' }), 'a code of status 404'],
  ['another code than asked for', answer({ ...error, code: 'path_not_found' }), 'the code pet_not_found'],
])('An Error answer with %s is refused', (_what, bad, why) => {
  expect(() => expectError(bad, 404, 'pet_not_found')).toThrow(why);
});

test('The message shows what came, and of a long body only the first 200 characters', () => {
  const long = answer('x'.repeat(1_000), { status: 200 });
  expect(() => expectError(long, 404)).toThrow(/^expected 404, but GET \/v1\/pets\/1 answered 200 x{200}…$/);
});
