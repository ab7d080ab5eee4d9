import { expect, test } from 'vitest';
import { getPetDeprecation } from '../v1/pets.ts';
import { v1 } from '../v1/v1.ts';
import { deprecationHeaders } from './deprecation.ts';
import { findLink } from './link.ts';

const { contract } = v1;

const headers = deprecationHeaders(getPetDeprecation, {
  documentation: '/docs',
  baseUrl: 'https://pets.example/v1',
});

test('getPet announces since when it is deprecated, its removal, the documentation and its successor', () => {
  expect(headers).toMatchObject({ Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', Deprecation: '@1764892800' });
  expect(findLink(headers.Link, 'deprecation')).toBe('/docs');
  expect(findLink(headers.Link, 'successor-version')).toBe('https://pets.example/v1/pets');
});

test('getPet is removed by its sunset date', () => {
  const isRemoved = !('getPet' in contract.pets);
  const sunset = getPetDeprecation.sunset.getTime();
  expect(isRemoved || Date.now() < sunset, 'The sunset date is past: remove getPet from the contract').toBe(
    true,
  );
});
