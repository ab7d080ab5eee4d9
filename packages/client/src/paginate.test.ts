import { Pet } from '@petstore/contract';
import { expect, test } from 'vitest';
import { type Request, storeWithReply } from '../tests/support/stub-service.ts';

const pets = [1, 2, 3, 4, 5].map((id) => Pet.parse({ id, name: `n${id}`, categoryId: 1 }));

/** Replies with two pets per page and a relative next link, as the service does. */
function servePage({ url = '' }: Request) {
  const { searchParams } = new URL(url, 'http://service');
  const after = Number(searchParams.get('cursor') ?? 0);
  const body = JSON.stringify(pets.slice(after, after + 2));
  const link = `</docs>; rel="help", </v1/pets?limit=2&cursor=${after + 2}>; rel="next"`;
  return { body, headers: after + 2 < pets.length ? { link } : {} };
}

const collectIds = (iterable: AsyncIterable<Pet>) => Array.fromAsync(iterable, ({ id }) => id);

test('pets() requests page after page with the cursor of the next link', async () => {
  const { store, requests } = await storeWithReply(servePage);
  const sold = store.pets({ status: 'sold', pageSize: 2 });
  expect(await collectIds(sold)).toEqual([1, 2, 3, 4, 5]);
  const first = '/v1/pets?status=sold&limit=2';
  expect(requests.map(({ url }) => url)).toEqual([first, `${first}&cursor=2`, `${first}&cursor=4`]);
  // Each iteration starts again.
  expect(await collectIds(sold)).toEqual([1, 2, 3, 4, 5]);
});

test.each([
  ['the public URL of the service, with a fragment', 'https://pets.example/v1/pets?cursor=2#2'],
  ['an invalid URL', 'http://[/?cursor=2'],
])('pets() takes only the cursor from a next link to %s', async (_what, next) => {
  const { store, requests } = await storeWithReply((request) => {
    const { body, headers } = servePage(request);
    return { body, headers: request.url === '/v1/pets' ? { link: `<${next}>; rel="next"` } : headers };
  });
  expect(await collectIds(store.pets())).toEqual([1, 2, 3, 4, 5]);
  expect(requests.map(({ url }) => url)).toEqual(['/v1/pets', '/v1/pets?cursor=2', '/v1/pets?cursor=4']);
});

test.each(['/v1/pets', '/v1/pets?cursor=', '/v1/pets?page=2'])(
  'pets() throws an UnexpectedResponseError for the next link %s, which has no cursor',
  async (next) => {
    const link = `<${next}>; rel="next"`;
    const { store, requests } = await storeWithReply({ body: '[]', headers: { link } });
    const message = expect.stringContaining('The response to listPets has a next link without a cursor');
    const error = { name: 'UnexpectedResponseError', message, isRetryable: false };
    await expect(collectIds(store.pets())).rejects.toMatchObject(error);
    expect(requests).toHaveLength(1);
  },
);

test('pages() yields the same pets page by page, each with the cursor from which pets() resumes', async () => {
  const { store } = await storeWithReply(servePage);
  const pages = await Array.fromAsync(store.pets().pages());
  expect(pages.map(({ body, next }) => [body.map(({ id }) => id), next])).toEqual([
    [[1, 2], '2'],
    [[3, 4], '4'],
    [[5], undefined],
  ]);
  expect(await collectIds(store.pets({ cursor: '2' }))).toEqual([3, 4, 5]);
});

test('pages() yields no cursor with a page that maxItems shortened', async () => {
  const { store } = await storeWithReply(servePage);
  const [cut] = await Array.fromAsync(store.pets({ maxItems: 1 }).pages());
  expect(cut).toMatchObject({ body: [{ id: 1 }], next: undefined });
  const [whole] = await Array.fromAsync(store.pets({ maxItems: 2 }).pages());
  expect(whole).toMatchObject({ body: [{ id: 1 }, { id: 2 }], next: '2' });
});

test.each([
  { maxItems: 0, ids: [], requested: 0 },
  { maxItems: 2, ids: [1, 2], requested: 1 },
  { maxItems: 3, ids: [1, 2, 3], requested: 2 },
  { maxItems: 9, ids: [1, 2, 3, 4, 5], requested: 3 },
])('pets() with maxItems $maxItems sends $requested requests', async ({ maxItems, ids, requested }) => {
  const { store, requests } = await storeWithReply(servePage);
  expect(await collectIds(store.pets({ maxItems }))).toEqual(ids);
  expect(requests).toHaveLength(requested);
});

test.each([Number.NaN, -1])('pets() refuses maxItems %d instead of yielding nothing', async (maxItems) => {
  const { store } = await storeWithReply(servePage);
  const message = `maxItems must be a number of at least 0, not ${maxItems}`;
  await expect(collectIds(store.pets({ maxItems }))).rejects.toThrow(new TypeError(message));
});

test('the options of pets() are options of each request', async () => {
  const { store, requests } = await storeWithReply(servePage);
  expect(await collectIds(store.pets({}, { headers: { 'x-tenant': 'one' } }))).toEqual([1, 2, 3, 4, 5]);
  expect(requests.map(({ headers }) => headers['x-tenant'])).toEqual(['one', 'one', 'one']);
});

test.each([
  ['the page before it', [pets.slice(0, 2), pets.slice(2, 4), pets.slice(0, 2)]],
  ['an empty page', [pets.slice(0, 2), []]],
])('pets() throws when a page links to %s, and yields no pet twice', async (_what, pages) => {
  const { store, requests } = await storeWithReply(() => ({
    body: JSON.stringify(pages[requests.length - 1]),
    headers: { link: `<?cursor=${requests.length}>; rel="next"` },
  }));
  const seen: Pet['id'][] = [];
  const iterate = async () => {
    for await (const { id } of store.pets()) seen.push(id);
  };
  const message = expect.stringContaining('The response to listPets has a next link without new pets');
  const error = { name: 'UnexpectedResponseError', message, isRetryable: false };
  await expect(iterate()).rejects.toMatchObject(error);
  expect(seen).toEqual(pages.slice(0, -1).flatMap((page) => page.map(({ id }) => id)));
  expect(requests).toHaveLength(pages.length);
});
