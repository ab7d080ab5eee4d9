import { expect, test } from 'vitest';
import { type Request, serve } from '../tests/service.ts';
import { apiKey } from '../tests/store.ts';
import { createPetStore, type Pet } from './index.ts';

const animals = Array.from({ length: 5 }, (_, index) => ({
  id: index + 1,
  name: `n${index}`,
  categoryId: 1,
}));

/** Two animals a page, with a relative next link as the service writes it. */
function page({ url = '' }: Request) {
  const { searchParams } = new URL(url, 'http://service');
  const after = Number(searchParams.get('cursor') ?? 0);
  const body = JSON.stringify(animals.slice(after, after + 2));
  const next = `</docs>; rel="help", </v1/pets?status=sold&cursor=${after + 2}>; rel="next"`;
  return { body, headers: after + 2 < animals.length ? { link: next } : {} };
}

async function collect(pets: AsyncIterable<Pet>) {
  const ids: Pet['id'][] = [];
  for await (const { id } of pets) ids.push(id);
  return ids;
}

test('all pages are walked, in order, along the next links', async () => {
  const { baseUrl, requests } = await serve(page);
  const store = createPetStore({ baseUrl, apiKey });
  expect(await collect(store.pets({ status: 'sold' }))).toEqual([1, 2, 3, 4, 5]);
  expect(requests.map(({ url }) => url)).toEqual([
    '/v1/pets?status=sold',
    '/v1/pets?status=sold&cursor=2',
    '/v1/pets?status=sold&cursor=4',
  ]);
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${apiKey}`));
});

test('a page is only asked for when it is needed', async () => {
  const { baseUrl, requests } = await serve(page);
  for await (const { id } of createPetStore({ baseUrl, apiKey }).pets()) if (id === 2) break;
  expect(requests).toHaveLength(1);
});

test('an absolute next link of the same origin is followed', async () => {
  const service = await serve((request) => {
    const { body, headers } = page(request);
    return {
      body,
      headers: headers.link ? { link: headers.link.replace('</v1', `<${service.baseUrl}`) } : {},
    };
  });
  expect(await collect(createPetStore({ baseUrl: service.baseUrl, apiKey }).pets())).toHaveLength(5);
});

test('a next link to another origin is not followed, so that the key stays here', async () => {
  const other = await serve({ body: '[]' });
  for (const target of [`${other.baseUrl}/pets`, `//${new URL(other.baseUrl).host}/v1/pets`, 'http://[/']) {
    const { baseUrl } = await serve({ body: '[]', headers: { link: `<${target}>; rel="next"` } });
    const walk = collect(createPetStore({ baseUrl, apiKey }).pets());
    await expect(walk).rejects.toMatchObject({ code: 'unexpected_answer' });
  }
  expect(other.requests).toEqual([]);
});

test('an Error on a later page is thrown, after the animals before it', async () => {
  const { baseUrl } = await serve((request) =>
    request.url?.includes('cursor=4')
      ? { status: 503, body: '{"code":"overloaded","message":"Sorry.","status":503}' }
      : page(request),
  );
  const seen: Pet['id'][] = [];
  const walk = async () => {
    for await (const { id } of createPetStore({ baseUrl, apiKey, retries: 0 }).pets()) seen.push(id);
  };
  await expect(walk()).rejects.toMatchObject({ code: 'overloaded', status: 503 });
  expect(seen).toEqual([1, 2, 3, 4]);
});

test('pages() gives the same animals page by page', async () => {
  const { baseUrl } = await serve(page);
  const pages = await Array.fromAsync(createPetStore({ baseUrl, apiKey }).pets().pages());
  expect(pages.map((pets) => pets.map(({ id }) => id))).toEqual([[1, 2], [3, 4], [5]]);
});

test('a second loop over the same animals walks from the start', async () => {
  const { baseUrl } = await serve(page);
  const pets = createPetStore({ baseUrl, apiKey }).pets();
  expect(await collect(pets)).toEqual(await collect(pets));
});

test('pageSize is how many animals are asked for at a time', async () => {
  const { baseUrl, requests } = await serve(page);
  await collect(createPetStore({ baseUrl, apiKey }).pets({ status: 'sold', pageSize: 2 }));
  expect(requests[0]?.url).toBe('/v1/pets?status=sold&limit=2');
});

test.each([
  { maxItems: 0, ids: [], asked: 0 },
  { maxItems: 1, ids: [1], asked: 1 },
  { maxItems: 2, ids: [1, 2], asked: 1 },
  { maxItems: 3, ids: [1, 2, 3], asked: 2 },
  { maxItems: 9, ids: [1, 2, 3, 4, 5], asked: 3 },
])('maxItems $maxItems ends the walk, without a request too many', async ({ maxItems, ids, asked }) => {
  const { baseUrl, requests } = await serve(page);
  expect(await collect(createPetStore({ baseUrl, apiKey }).pets({ maxItems }))).toEqual(ids);
  expect(requests).toHaveLength(asked);
});

test('a signal ends the walk between two pages', async () => {
  const { baseUrl, requests } = await serve(page);
  const controller = new AbortController();
  const seen: Pet['id'][] = [];
  const walk = async () => {
    for await (const { id } of createPetStore({ baseUrl, apiKey }).pets({}, controller)) {
      seen.push(id);
      if (id === 2) controller.abort();
    }
  };
  await expect(walk()).rejects.toMatchObject({ code: 'aborted' });
  expect(seen).toEqual([1, 2]);
  expect(requests).toHaveLength(1);
});

test('a page that is its own next page does not walk for ever', async () => {
  const { baseUrl } = await serve(({ url }) => ({ body: '[]', headers: { link: `<${url}>; rel="next"` } }));
  const walk = collect(createPetStore({ baseUrl, apiKey }).pets());
  await expect(walk).rejects.toMatchObject({ code: 'unexpected_answer' });
});
