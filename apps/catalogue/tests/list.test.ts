import { expect, test } from 'vitest';
import { namesIn, useApp } from './support/app.ts';

const pets = (count: number, status: 'pending' | 'sold') =>
  Array.from({ length: count }, (_, index) => ({ name: `${status} ${index + 1}`, categoryId: 1, status }));

/** An animal whose name is long, and longer when its characters are visible. */
const long = { name: '\x7f'.repeat(60_000), categoryId: 1, status: 'available' } as const;

/** An animal whose name has a character of two code units at the end of the title, and at the end of the card. */
const wide = { ...long, name: `${'x'.repeat(44)}🦤${'x'.repeat(253)}🦤` };

const app = await useApp([...pets(130, 'pending'), ...pets(2, 'sold'), long, wide]);
const [longId, wideId] = app.pets.slice(-2).map(({ id }) => id);

const read = async (path: string) => (await (await app.request(path)).text()).replaceAll('&amp;', '&');

/** Reads a page of the list: its title, the names of its animals, and its links to further pages. */
async function readPage(path: string) {
  const html = await read(path);
  const links = Array.from(html.matchAll(/href="([^"]*)">(First|Next) page</g), ([, href = '', name]) => ({
    href,
    name,
  }));
  return { names: namesIn(html), title: /<title>(.*)<\/title>/.exec(html)?.[1], links };
}

test('the list shows the animals of a status, page after page, with a title and links to further pages', async () => {
  const pages = [await readPage('/animals?status=pending')];
  for (let next = pages[0]?.links[0]; next?.name === 'Next'; next = pages.at(-1)?.links[1])
    pages.push(await readPage(next.href));
  expect(pages.flatMap((page) => page.names)).toEqual(pets(130, 'pending').map(({ name }) => name));
  const shown = pages.map(({ title, names, links }) => [
    title,
    names.length,
    ...links.map(({ name }) => name),
  ]);
  // The links stand before and after the list.
  expect(shown).toEqual([
    ['Pending animals · Adoption catalogue', 60, 'Next', 'Next'],
    ['Pending animals from No. 61 · Adoption catalogue', 60, 'First', 'Next', 'First', 'Next'],
    ['Pending animals from No. 121 · Adoption catalogue', 10, 'First', 'First'],
  ]);
  expect(pages[2]?.links[0]?.href).toBe('/animals?status=pending');
});

test('the list shows the beginning of a long name, and the page of the animal all of it', async () => {
  const countShown = async (path: string) => (await read(path)).split('[U+007F]').length - 1;
  const list = '/animals?status=available';
  expect(await countShown(list)).toBe(300);
  expect(namesIn(await read(list))[1]).toBe(`${wide.name.slice(0, 299)}…`);
  expect(await read(`/animals/${wideId}`)).toContain(`<title>${'x'.repeat(44)} · Adoption`);
  expect(await countShown(`/animals/${longId}`)).toBeGreaterThan(long.name.length);
});

test('the links back from an animal and from the form lead to the same page of the list', async () => {
  const { links } = await readPage('/animals?status=pending');
  const second = links[0]?.href ?? '';
  const list = await read(second);
  const [, animal = ''] = /<li id="animal-100"><a href="([^"]*)"/.exec(list) ?? [];
  expect(await read(animal)).toContain(`<a href="${second}#animal-100">Pending animals</a>`);
  const [, form = ''] = /href="([^"]*)">Add an animal</.exec(list) ?? [];
  expect(await read(`${form}&key=k`)).toContain(`href="${second}">Cancel<`);
});

test.each([
  ['0', '5'],
  ['70', '70'],
])(
  'after the Retry-After %s of the service, a page has the Retry-After and Refresh %s',
  async (given, expected) => {
    app.setFault(async () => new Response(null, { status: 503, headers: { 'retry-after': given } }));
    const { headers } = await app.request('/animals');
    expect([headers.get('retry-after'), headers.get('refresh')]).toEqual([expected, expected]);
  },
);

test.each([
  [429, 'takes no more requests for the moment'],
  [500, 'has failed'],
  [503, 'is not available at the moment'],
  [undefined, 'does not respond'],
])(
  'a page about the status %s of the pet store says that it %s, and shows the request id',
  async (status, text) => {
    app.setFault(async (...request) =>
      status === undefined ? app.loseResponse(...request) : new Response(null, { status }),
    );
    const response = await app.request('/animals/1');
    expect(response.status).toBe(503);
    const page = await response.text();
    expect(page).toContain(`The service behind this catalogue ${text}. This page reloads by itself.`);
    expect(page).toContain(`<code>${response.headers.get('x-request-id')}</code>`);
  },
);
