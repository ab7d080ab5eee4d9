import { expect, test } from 'vitest';
import { namesIn, useApp } from './support/app.ts';

/** Two pages of 60, and a third one. */
const pending = Array.from({ length: 130 }, (_, index) => `pending ${index + 1}`);

/** How many code units of a name the title of a page and the card of a list show. */
const [IN_TITLE, ON_CARD] = [45, 300];
/** A name that becomes longer when its characters are visible. */
const longName = '\x7f'.repeat(60_000);
/** A name that the title and the card would cut within a 🦤, which has two code units. */
const wideName = `${'x'.repeat(IN_TITLE - 1)}🦤`.padEnd(ON_CARD - 1, 'x').concat('🦤');

const newPets = (status: 'pending' | 'available', ...names: string[]) =>
  names.map((name) => ({ name, categoryId: 1, status }));
const app = await useApp([...newPets('pending', ...pending), ...newPets('available', longName, wideName)]);
const [longId, wideId] = app.pets.slice(-2).map(({ id }) => id);

const read = async (path: string) => (await (await app.request(path)).text()).replaceAll('&amp;', '&');

/** Reads a page of the list: its title, the names of its animals, and its links to further pages. */
async function readPage(path: string) {
  const html = await read(path);
  const matches = html.matchAll(/href="([^"]*)">(First|Next) page</g);
  const links = Array.from(matches, ([, href = '', name]) => ({ href, name }));
  return { names: namesIn(html), title: /<title>(.*)<\/title>/.exec(html)?.[1], links };
}

test('the list shows the animals of a status, page after page, with a title and links to further pages', async () => {
  const pages = [await readPage('/animals?status=pending')];
  for (let next = pages[0]?.links[0]; next?.name === 'Next'; next = pages.at(-1)?.links[1])
    pages.push(await readPage(next.href));
  expect(pages.flatMap((page) => page.names)).toEqual(pending);
  const shown = pages.map((page) => [page.title, page.names.length, ...page.links.map(({ name }) => name)]);
  // The links stand before and after the list.
  expect(shown).toEqual([
    ['Pending animals · Adoption catalogue', 60, 'Next', 'Next'],
    ['Pending animals from No. 61 · Adoption catalogue', 60, 'First', 'Next', 'First', 'Next'],
    ['Pending animals from No. 121 · Adoption catalogue', 10, 'First', 'First'],
  ]);
  expect(pages[2]?.links[0]?.href).toBe('/animals?status=pending');
});

test('the list cuts a long name and adds an ellipsis, a title only cuts it, both between characters, and the page shows all', async () => {
  const countShown = async (path: string) => (await read(path)).split('[U+007F]').length - 1;
  const list = '/animals?status=available';
  expect(await countShown(list)).toBe(ON_CARD);
  expect(namesIn(await read(list))[1]).toBe(`${wideName.slice(0, ON_CARD - 1)}…`);
  expect(await read(`/animals/${wideId}`)).toContain(`<title>${'x'.repeat(IN_TITLE - 1)} · Adoption`);
  expect(await countShown(`/animals/${longId}`)).toBe(IN_TITLE + longName.length);
});

test('links back lead to the same page of the list, and the form keeps the Idempotency-Key of its URL without a link to itself', async () => {
  const { links } = await readPage('/animals?status=pending');
  const second = links[0]?.href ?? '';
  const list = await read(second);
  const [, animal = ''] = /<li id="animal-100"><a href="([^"]*)"/.exec(list) ?? [];
  expect(await read(animal)).toContain(`<a href="${second}#animal-100">Pending animals</a>`);
  const [, form = ''] = /href="([^"]*)">Add an animal</.exec(list) ?? [];
  const page = await read(`${form}&key=k`);
  expect(page).not.toContain('>Add an animal</a>');
  expect(page).toContain(`href="${second}">Cancel<`);
  expect(page).toContain(`<form action="${second.replace('?', '/new?key=k&')}"`);
});

test.each([
  { status: 429, retryAfter: '70', seconds: '70', text: 'takes no more requests for the moment' },
  { status: 500, seconds: '5', text: 'has failed' },
  { status: 503, retryAfter: '0', seconds: '5', text: 'is not available at the moment' },
  { status: undefined, seconds: '5', text: 'does not respond' },
])(
  'a page that says that the service $text reloads after $seconds s',
  async ({ status, retryAfter, seconds, text }) => {
    const headers: HeadersInit = retryAfter ? { 'retry-after': retryAfter } : {};
    app.setFault(async (...request) =>
      status === undefined ? app.loseResponse(...request) : new Response(null, { status, headers }),
    );
    const response = await app.request('/animals/1');
    expect(response.status).toBe(503);
    const page = await response.text();
    expect(page).toContain(`The service behind this catalogue ${text}. This page reloads by itself.`);
    expect(page).toContain(`<code>${response.headers.get('x-request-id')}</code>`);
    for (const name of ['retry-after', 'refresh']) expect(response.headers.get(name)).toBe(seconds);
  },
);
