import type { Pet, Pets } from '@petstore/contract';
import { findLink } from '@petstore/contract/link';
import { assert } from './conformance-error.ts';
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
  const link = findLink(response.headers.get('link'), 'next');
  return { response, pets: petsOf(response), next: link === undefined ? undefined : follow(response, link) };
}

/** Follows the next links from the page at the path on, one request for each page. */
export async function* paginate(target: Target, path: string): AsyncGenerator<Page> {
  const visited = new Set<string>();
  for (let next: string | undefined = urlOf(target, path); next !== undefined; ) {
    assert(!visited.has(next), `expected the next links to come to an end, but ${next} came twice`);
    visited.add(next);
    const page = await fetchPage(target, next);
    yield page;
    next = page.next;
  }
}

/** Finds the page of a listing on which the first of some pets is. */
export async function findPage(target: Target, pets: readonly Pet[], filter = ''): Promise<Page> {
  const ids = new Set(pets.map(({ id }) => id));
  for await (const page of paginate(target, `/pets?limit=100${filter}`)) {
    if (page.pets.some(({ id }) => ids.has(id))) return page;
  }
  assert(false, `expected the pets ${[...ids].join(', ')} in GET /pets?limit=100${filter}, but it ended`);
}

/** The URL with a query parameter set or replaced. */
export function withParameter(url: string, name: string, value: string): string {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed.href;
}

/**
 * Resolves a reference from a header of a response.
 *
 * @throws ConformanceError when it leads to another origin, which must not be sent the key
 */
export function follow(response: RawResponse, reference: string): string {
  const url = URL.parse(reference, response.url);
  const { origin } = new URL(response.url);
  expect(response, url?.origin === origin, `a URL at ${origin} rather than ${reference}`);
  return url.href;
}
