import { findLink } from '@petstore/contract/link';
import { expect, type RawResponse } from './http/response.ts';
import { send } from './http/send.ts';
import { type NewPet, type Pet, type Pets, pageSize } from './interface.ts';
import { expectMembers, petsOf } from './pets.ts';
import { type Target, urlOf } from './target.ts';

export interface Page {
  response: RawResponse;
  pets: Pets;
  next: string | undefined;
}

/** The path of a listing in the largest pages. */
export const listing = (filter = ''): string => `/pets?limit=${pageSize.maximum}${filter}`;

export async function fetchPage(target: Target, path: string): Promise<Page> {
  const response = await send(target, 'GET', path);
  const next = resolve(response, findLink(response.headers.get('link'), 'next'));
  return { response, pets: petsOf(response), next };
}

/**
 * Follows the next links until there is none or one is repeated.
 * @param visit gets each page, and may return `true` to end there
 * @returns the last page
 */
export async function readListing(
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
 * Finds a pet in the pages of a listing that can be reached by links.
 * @returns the pet and its page; only the last page if the listing may go on
 * @throws ConformanceError when the listing ends without the pet
 */
export async function findPet(
  target: Target,
  { id }: Pick<Pet, 'id'>,
  filter = '',
): Promise<{ page: Page; listed: Pet | undefined }> {
  const isIt = (pet: Pet) => pet.id === id;
  const page = await readListing(target, listing(filter), ({ pets }) => pets.some(isIt));
  const listed = page.pets.find(isIt);
  expect(page.response, listed !== undefined || mayGoOn(page), 'the pet that was added in the listing');
  return { page, listed };
}

/** @throws ConformanceError unless a listing has the pet with these properties, or may go on */
export async function expectListed(target: Target, expected: Partial<Pet> & Pick<Pet, 'id'>): Promise<void> {
  const { page, listed } = await findPet(target, expected);
  if (listed !== undefined) expectMembers(page.response, listed, expected);
}

/**
 * Counts the pets with a name that only one check uses, because other clients may add pets meanwhile. If the listing of
 * all pets may go on, it reads the listing of their status.
 * @throws ConformanceError when a listing has more of these pets, or ends with fewer
 */
export async function expectCount(
  target: Target,
  { name, status }: Pick<NewPet, 'name' | 'status'>,
  count: number,
): Promise<void> {
  for (const filter of ['', `&status=${status}`]) {
    let found = 0;
    const last = await readListing(target, listing(filter), ({ pets }) => {
      found += pets.filter((pet) => pet.name === name).length;
    });
    const isUnseen = mayGoOn(last) && found < count;
    const expected =
      count === 0 ? 'nothing of a refused request in the listing' : 'each pet once in the listing';
    expect(last.response, found === count || isUnseen, expected, `${found} for ${count}`);
    if (!mayGoOn(last)) return;
  }
}

/**
 * The URL of a reference in a header of a response.
 * @returns `undefined` if there is none, and for another origin, which must not receive the key
 */
export function resolve(response: RawResponse, reference: string | null | undefined): string | undefined {
  const url = URL.parse(reference ?? '', response.url);
  const isHere = reference != null && url?.origin === new URL(response.url).origin;
  return isHere ? url.href : undefined;
}
