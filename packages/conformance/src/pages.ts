import type { Pet, Pets } from '@petstore/contract';
import { findLink } from '@petstore/contract/link';
import { petsOf } from './animals.ts';
import { type Answer, expect } from './answer.ts';
import { assert } from './nonconformity.ts';
import { send } from './send.ts';
import { address, type Target } from './target.ts';

/** A page of listPets. */
export interface Page {
  answer: Answer;
  pets: Pets;
  /** The address of the page after it, if there is one. */
  next: string | undefined;
}

/** Fetches the page at a path under the base address or at an absolute address. */
export async function fetchPage(target: Target, path: string): Promise<Page> {
  const answer = await send(target, 'GET', path);
  const link = findLink(answer.headers.get('link'), 'next');
  return { answer, pets: petsOf(answer), next: link === undefined ? undefined : follow(answer, link) };
}

/** Walks the pages from the one at the path on, one request a page. */
export async function* walk(target: Target, path: string): AsyncGenerator<Page> {
  const visited = new Set<string>();
  for (let next: string | undefined = address(target, path); next !== undefined; ) {
    assert(!visited.has(next), `expected the next links to come to an end, but ${next} came twice`);
    visited.add(next);
    const page = await fetchPage(target, next);
    yield page;
    next = page.next;
  }
}

/** Finds the page of a listing on which the first of some animals is. */
export async function findPage(target: Target, pets: readonly Pet[], filter = ''): Promise<Page> {
  const ids = new Set(pets.map(({ id }) => id));
  for await (const page of walk(target, `/pets?limit=100${filter}`)) {
    if (page.pets.some(({ id }) => ids.has(id))) return page;
  }
  assert(false, `expected the animals ${[...ids].join(', ')} in GET /pets?limit=100${filter}, but it ended`);
}

/** The same address with another query parameter. */
export function withParameter(url: string, name: string, value: string): string {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed.href;
}

/**
 * Resolves a reference from an answer's header field.
 *
 * @throws Nonconformity when it leads to another origin, which must not be sent the key
 */
export function follow(answer: Answer, reference: string): string {
  const url = URL.parse(reference, answer.url);
  const { origin } = new URL(answer.url);
  expect(answer, url?.origin === origin, `an address at ${origin} rather than ${reference}`);
  return url.href;
}
