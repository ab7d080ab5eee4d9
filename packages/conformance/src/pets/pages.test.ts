import { expect, test } from 'vitest';
import { resolveSameOrigin } from './pages.ts';

const response = {
  request: 'GET /v1/pets',
  url: 'http://petstore.test/v1/pets',
  status: 200,
  headers: new Headers(),
  text: '[]',
  replay: { curl: 'curl', received: '200 []' },
  redact: (text: string) => text,
};

test.each([
  null,
  'http://elsewhere.test/v1/pets',
  '//elsewhere.test/',
  'https://petstore.test/v1',
  'http://[',
])('resolveSameOrigin returns no URL for the reference %s, so that the key is not sent there', (reference) =>
  expect(resolveSameOrigin(response, reference)).toBeUndefined(),
);
