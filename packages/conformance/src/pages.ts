import { type Pet, type Pets, pageSize } from '@petstore/contract';
import { findLink } from '@petstore/contract/link';
import { expect, type RawResponse } from './http/raw-response.ts';
import { send } from './http/send.ts';
import { petsOf } from './pets.ts';
import { type Target, urlOf } from './target.ts';

/** A page of listPets. */
export interface Page {
  response: RawResponse;
  pets: Pets;
  /** The URL of the next page, if there is one. */
  next: string | undefined;
}

/** Fetches the page at a path below the base URL or at an absolute URL. */
export async function fetchPage(target: Target, path: string): Promise<Page> {
  const response = await send(target, 'GET', path);
  const next = resolve(response, findLink(response.headers.get('link'), 'next'));
  return { response, pets: petsOf(response), next };
}

/** Follows the next links from the page at the path on, one request for each page, until one comes again. */
export async function* paginate(target: Target, path: string): AsyncGenerator<Page> {
  const visited = new Set<string>();
  for (let next: string | undefined = urlOf(target, path); next !== undefined && !visited.has(next); ) {
    visited.add(next);
    const page = await fetchPage(target, next);
    yield page;
    next = page.next;
  }
}

/**
 * Finds a pet in a listing, of which it reads as much as the deployment links to.
 *
 * @returns the page on which the pet is, and the pet; the last page alone where the listing may go on in a way that
 *   the interface document does not show
 * @throws ConformanceError when the listing ends without the pet
 */
export async function findPet(
  target: Target,
  { id }: Pick<Pet, 'id'>,
  filter = '',
): Promise<{ page: Page; listed?: Pet }> {
  const visited = new Set<string>();
  for (let url = urlOf(target, `/pets?limit=${pageSize.maximum}${filter}`); ; ) {
    const page = await fetchPage(target, url);
    const { response, pets, next } = page;
    const listed = pets.find((pet) => pet.id === id);
    if (listed !== undefined) return { page, listed };
    visited.add(url);
    if (next === undefined || visited.has(next)) {
      const mayGoOn = next !== undefined || pets.length === pageSize.maximum;
      expect(response, mayGoOn, 'the pet that was added in the listing');
      return { page };
    }
    url = next;
  }
}

/** The URL with a query parameter set or replaced. */
export function withParameter(url: string, name: string, value: string): string {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed.href;
}

/**
 * The URL of a reference in a header of a response.
 *
 * @returns `undefined` where there is none, or it leads to another origin, which must not be sent the key
 */
export function resolve(response: RawResponse, reference: string | null | undefined): string | undefined {
  const url = URL.parse(reference ?? '', response.url);
  const isHere = reference != null && url?.origin === new URL(response.url).origin;
  return isHere ? url.href : undefined;
}
