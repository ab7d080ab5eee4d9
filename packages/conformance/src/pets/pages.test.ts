import { int64Bounds } from '@petstore/contract';
import { expect, test } from 'vitest';
import { pagination } from '../checks/pagination.ts';
import { pageSize } from '../interface.ts';
import { expectCount, expectListed, resolveSameOrigin } from './pages.ts';
import { newPet, unusedId } from './pets.ts';

test.each([
  null,
  'http://elsewhere.test/v1/pets',
  '//elsewhere.test/',
  'https://petstore.test/v1',
  'http://[',
])('resolveSameOrigin returns no URL for the reference %s, so that the key is not sent there', (reference) =>
  expect(resolveSameOrigin({ url: 'http://petstore.test/v1/pets' }, reference)).toBeUndefined(),
);

// The pages of this deployment are full, and link to another origin: the suite assumes that a listing may go on.
const page = Array.from({ length: pageSize.maximum }, (_, id) => ({ id, ...newPet() }));
const link = '<//b.test>; rel="next"';
const fetch = async () => Response.json(page, { headers: { link } });
const target = { baseUrl: 'http://a.test', apiKey: 'key', fetch };

test('expectCount fails for a pet that was added too often, even if the listing may go on', () =>
  expect(expectCount(target, newPet(), 1)).rejects.toThrow(`: 1 rather than ${page.length}`));

test('expectListed accepts that a pet is missing if the listing may go on', () =>
  expectListed(target, { id: unusedId() }));

test('a failure shows a link to another origin', () =>
  expect(pagination.find(({ name }) => /keeps the limit$/.test(name))?.run(target)).rejects.toThrow(link));

test('an id that no pet has is an int64', () => {
  expect(Array.from({ length: 64 }, unusedId).filter((id) => id > int64Bounds.maximum)).toEqual([]);
});
