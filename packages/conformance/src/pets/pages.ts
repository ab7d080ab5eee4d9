import { findLink } from '@petstore/contract/link';
import { expect, fail } from '../http/response.ts';
import { send } from '../http/send.ts';
import { type Target, urlOf } from '../http/target.ts';
import { type NewPet, type Pet, pageSize } from '../interface.ts';
import { expectMembers, petsOf } from './pets.ts';

export type Page = Awaited<ReturnType<typeof fetchPage>>;

/** The path of a listing in the largest pages. */
export const listing = (filter = ''): string => `/pets?limit=${pageSize.maximum}${filter}`;

export async function fetchPage(target: Target, path: string) {
  const response = await send(target, 'GET', path);
  const link = response.headers.get('link');
  const next = resolveSameOrigin(response, findLink(link, 'next'));
  return { response, pets: petsOf(response), link, next };
}

/**
 * Follows the next links until there is none or one is repeated.
 * @param visit gets each page, and may return `true` to make it the last one
 * @returns the last page
 */
export async function readToLastPage(
  target: Target,
  path: string,
  visit: (page: Page) => unknown = () => false,
): Promise<Page> {
  const visited = new Set<string>();
  for (let url = urlOf(target, path); ; ) {
    visited.add(url);
    const page = await fetchPage(target, url);
    if (visit(page) === true || page.next === undefined || visited.has(page.next)) return page;
    url = page.next;
  }
}

/** Whether a listing may go on after this page: the interface document does not say how pages are linked. */
const mayGoOn = ({ pets, next }: Page) => next !== undefined || pets.length === pageSize.maximum;

/**
 * Finds the page of a pet among the pages that can be reached by links, or the last page if the listing may go on.
 * @throws ConformanceError when the listing ends without the pet
 */
export async function findPage(target: Target, { id }: Pick<Pet, 'id'>, filter = ''): Promise<Page> {
  const hasPet = ({ pets }: Page) => pets.some((pet) => pet.id === id);
  const page = await readToLastPage(target, listing(filter), hasPet);
  expect(page.response, hasPet(page) || mayGoOn(page), 'the pet that was added in the listing');
  return page;
}

/** @throws ConformanceError unless a listing has the pet with these properties, or may go on */
export async function expectListed(target: Target, expected: Partial<Pet> & Pick<Pet, 'id'>): Promise<void> {
  const { response, pets } = await findPage(target, expected);
  const listed = pets.find(({ id }) => id === expected.id);
  if (listed !== undefined) expectMembers(response, listed, expected);
}

/**
 * Counts the pets with a name that only the calling check uses: other clients may add pets meanwhile. If the listing of
 * all pets may go on, it also counts them in the listing of their status, which is shorter.
 * @throws ConformanceError when a listing has more of these pets, or ends with fewer
 */
export async function expectCount(target: Target, { name, status }: NewPet, count: number): Promise<void> {
  for (const filter of ['', `&status=${status}`]) {
    let found = 0;
    const last = await readToLastPage(target, listing(filter), ({ pets }) => {
      found += pets.filter((pet) => pet.name === name).length;
    });
    const fits = found === count || (mayGoOn(last) && found < count);
    const expected = count === 0 ? 'nothing of a refused request' : 'each pet once';
    if (!fits) fail(last.response, `${expected} in the listing`, `: ${count} rather than ${found}`);
    if (!mayGoOn(last)) return;
  }
}

/**
 * The URL of a reference in a header of a response.
 * @returns `undefined` without a reference, and for another origin, which must not receive the key
 */
export function resolveSameOrigin(response: { url: string }, reference?: string | null): string | undefined {
  const url = URL.parse(reference ?? '', response.url);
  const isSameOrigin = reference != null && url?.origin === new URL(response.url).origin;
  return isSameOrigin ? url.href : undefined;
}
