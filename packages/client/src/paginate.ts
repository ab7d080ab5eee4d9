import type { ListPetsQuery, Pet } from './contract.ts';
import type { CallOptions } from './options.ts';
import { unexpectedResponse } from './responses/classify.ts';
import type { PetsPage } from './responses/success.ts';

/** Which pets to iterate over. */
export interface PetsQuery extends Omit<ListPetsQuery, 'limit'> {
  /**
   * How many pets are requested at a time, 1 to 100.
   *
   * @default 20
   */
  pageSize?: number | undefined;
  /**
   * How many pets the iteration yields at most, over all pages.
   *
   * @default Infinity
   */
  maxItems?: number | undefined;
}

/** The pets of all pages. Each iteration starts from the first page. */
export interface PetPaginator extends AsyncIterable<Pet> {
  /** The same pets, page by page. */
  pages(): AsyncIterable<Pet[]>;
}

type ListPage = (query: ListPetsQuery, options?: CallOptions) => Promise<PetsPage>;

// Bounds the memory of a long iteration. A faulty service that repeats pages repeats the last few.
const MAX_CURSORS_SEEN = 1_000;

/** Iterates over the pages of a listing, from the page of `cursor`, or the first, to the last. */
export function paginate(
  listPage: ListPage,
  { pageSize, maxItems = Number.POSITIVE_INFINITY, ...query }: PetsQuery,
  options?: CallOptions,
): PetPaginator {
  async function* pages() {
    const seen = new Set<string>();
    let { cursor } = query;
    for (let left = maxItems; left > 0; ) {
      const page: PetsPage = await listPage({ ...query, limit: pageSize, cursor }, options);
      yield page.body.slice(0, left);
      left -= page.body.length;
      if (cursor !== undefined) seen.add(cursor);
      cursor = page.next;
      if (cursor === undefined) return;
      if (seen.has(cursor)) {
        throw unexpectedResponse({ operation: 'listPets' }, page, 'links to a page that came before');
      }
      if (seen.size === MAX_CURSORS_SEEN) seen.clear();
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page;
    },
  };
}
