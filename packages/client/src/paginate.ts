import type { ListPetsQuery, Pet, PetId } from './contract.ts';
import { responseError } from './responses/classify.ts';
import type { PetsPage } from './responses/success.ts';

export interface PetsQuery extends Omit<ListPetsQuery, 'limit'> {
  /**
   * How many pets a page has, 1 to 100.
   * @default 20
   */
  pageSize?: number | undefined;
  /**
   * How many pets the iteration yields at most, over all pages.
   * @default Infinity
   */
  maxItems?: number | undefined;
}

/** The pets of all pages. Each iteration starts again. */
export interface PetPaginator extends AsyncIterable<Pet> {
  /**
   * The same pets, page by page. To resume later, pass the `next` of a page as `cursor`. `next` is `undefined`
   * on the last page, and on a page that `maxItems` shortened.
   */
  pages(): AsyncIterable<PetsPage>;
}

export function paginate(
  listPage: (query: ListPetsQuery) => Promise<PetsPage>,
  { pageSize, maxItems = Infinity, ...query }: PetsQuery = {},
): PetPaginator {
  async function* pages(): AsyncGenerator<PetsPage> {
    // The loop would end at once, as if the catalogue had no pets: `NaN > 0` is false.
    if (!(maxItems >= 0)) throw new TypeError(`maxItems must be a number of at least 0, not ${maxItems}`);
    let { cursor } = query;
    let lastId: PetId = -Infinity;
    let left = maxItems;
    while (left > 0) {
      // Always a whole page: the service caches lists by URL, and a smaller `limit` is another URL.
      const page: PetsPage = await listPage({ ...query, limit: pageSize, cursor });
      const { body, next } = page;
      const previousId: PetId = lastId;
      lastId = body[body.length - 1]?.id ?? previousId;
      // Ids ascend from page to page. A faulty service could link to the same pages forever.
      if (next !== undefined && lastId <= previousId) {
        throw responseError({ operation: 'listPets' }, page, 'has a next link without new pets');
      }
      yield body.length <= left ? page : { ...page, body: body.slice(0, left), next: undefined };
      if (next === undefined) return;
      left -= body.length;
      cursor = next;
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { body } of pages()) yield* body;
    },
  };
}
