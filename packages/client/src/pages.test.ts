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

/** A walk along what the first page says is its next, up to the third page. */
async function walkAlong(next: (baseUrl: string) => string) {
  const service = await serve(() => {
    const { length } = service.requests;
    const body = JSON.stringify([{ id: length, name: 'a', categoryId: 1 }]);
    return { body, headers: length < 3 ? { link: `<${next(service.baseUrl)}>; rel="next"` } : {} };
  });
  const seen: Pet['id'][] = [];
  const pages = async () => {
    for await (const { id } of createPetStore({ baseUrl: service.baseUrl, apiKey }).pets()) seen.push(id);
  };
  const error: unknown = await pages().catch((error: unknown) => error);
  return { seen, error, urls: service.requests.map(({ url }) => url) };
}

test.each([
  ['another host', () => 'http://localhost:1/v1/pets?cursor=2'],
  ['another host, without a scheme', () => '//localhost:1/v1/pets?cursor=2'],
  ['another scheme', (base: string) => base.replace('http:', 'https:')],
  ['a host that begins like this one', (base: string) => base.replace('/v1', '.example/v1')],
  ['another port', () => 'http://127.0.0.1:1/v1/pets?cursor=2'],
  ['a user name', (base: string) => base.replace('//', '//user@')],
  ['a user name and a password', (base: string) => base.replace('//', '//user:secret@')],
  ['a blob of this origin', (base: string) => `blob:${base}`],
  ['a script', () => 'javascript:alert(1)'],
  ['data', () => 'data:application/json,[]'],
  ['a file', () => 'file:///etc/passwd'],
  ['nothing that is an address', () => 'http://[/'],
])(
  'a next link with %s is not followed, nor asked for again, so that the key stays here',
  async (_what, next) => {
    const { seen, error, urls } = await walkAlong(next);
    expect(error).toMatchObject({
      name: 'UnexpectedAnswerError',
      code: 'unexpected_answer',
      retryable: false,
    });
    expect(error).toMatchObject({ message: expect.stringContaining('has a next link that leads elsewhere') });
    expect(seen).toEqual([1]);
    expect(urls).toHaveLength(1);
  },
);

test.each([
  ['a query alone', () => '?cursor=2', '/v1/pets?cursor=2'],
  ['dots', () => '../v1/./pets?cursor=2', '/v1/pets?cursor=2'],
  ['another path', () => '/elsewhere?cursor=2', '/elsewhere?cursor=2'],
  ['an absolute address', (base: string) => `${base}/pets?cursor=2`, '/v1/pets?cursor=2'],
  ['a fragment', () => '?cursor=2#top', '/v1/pets?cursor=2'],
  ['back slashes', () => '\\v1\\pets?cursor=2', '/v1/pets?cursor=2'],
])('a next link of %s is followed within this origin', async (_what, next, url) => {
  const { seen, urls } = await walkAlong(next);
  expect(seen.slice(0, 2)).toEqual([1, 2]);
  expect(urls.slice(0, 2)).toEqual(['/v1/pets', url]);
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

test.each([
  ['itself', ['/v1/pets'], ['']],
  ['itself, by a fragment', ['/v1/pets'], ['#more']],
  ['the page before it', ['/v1/pets', '/v1/pets?cursor=1'], ['?cursor=1', '/v1/pets']],
  [
    'a page long before it',
    ['/v1/pets', '/v1/pets?cursor=1', '/v1/pets?cursor=2', '/v1/pets?cursor=3'],
    ['?cursor=1', '?cursor=2', '?cursor=3', '?cursor=1'],
  ],
])(
  'a walk whose page leads to %s ends there, before any animal comes twice',
  async (_what, walked, links) => {
    const service = await serve(() => {
      const { length } = service.requests;
      const body = JSON.stringify([{ id: length, name: 'a', categoryId: 1 }]);
      return { body, headers: { link: `<${links[(length - 1) % links.length]}>; rel="next"` } };
    });
    const { baseUrl, requests } = service;
    await expect(collect(createPetStore({ baseUrl, apiKey }).pets())).rejects.toMatchObject({
      name: 'UnexpectedAnswerError',
      message: expect.stringContaining('has a next link that leads back'),
      retryable: false,
    });
    expect(requests.map(({ url }) => url)).toEqual(walked);
  },
);

test('a walk in a round ends however many pages came before', async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    const next = asked.length < 5_000 ? asked.length : 4_990 + (asked.length % 7);
    return Response.json([], { headers: { link: `<?cursor=${next}>; rel="next"` } });
  };
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey, fetch });
  await expect(collect(store.pets())).rejects.toMatchObject({ code: 'unexpected_answer' });
  expect(asked.length).toBeLessThan(5_100);
});
