import { expect, test } from 'vitest';
import { resolveSameOrigin } from './pages.ts';

test.each([
  null,
  'http://elsewhere.test/v1/pets',
  '//elsewhere.test/',
  'https://petstore.test/v1',
  'http://[',
])('resolveSameOrigin returns no URL for the reference %s, so that the key is not sent there', (reference) =>
  expect(resolveSameOrigin({ url: 'http://petstore.test/v1/pets' }, reference)).toBeUndefined(),
);
