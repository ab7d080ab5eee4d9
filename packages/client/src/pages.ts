import { findLink } from '@petstore/contract/link';
import type { Call } from './calls.ts';
import type { ListPetsQuery, Pet } from './contract.ts';
import { unexpectedAnswer } from './judge.ts';
import type { CallOptions } from './options.ts';
import type { Success } from './success.ts';

/** Which animals to walk through. */
export interface PetsQuery extends Omit<ListPetsQuery, 'limit' | 'cursor'> {
  /** How many animals are asked for at a time (1 to 100, by default 20). */
  pageSize?: number | undefined;
  /** How many animals there are at most, over all pages. */
  maxItems?: number | undefined;
}

/** Animals over all pages. Each loop over them walks from the start. */
export interface PetWalk extends AsyncIterable<Pet> {
  /** The same animals, page by page. */
  pages(): AsyncIterable<Pet[]>;
}

type ListPage = (call: Call<'listPets'>, options?: CallOptions) => Promise<Success<'listPets'>>;

/** A walk from the page that `first` asks for to the last, along the `next` links (RFC 8288). */
export function walkPets(
  list: ListPage,
  first: Call<'listPets'>,
  maxItems: number,
  options?: CallOptions,
): PetWalk {
  async function* pages() {
    const seen = new Set<string>();
    let call: Call<'listPets'> | undefined = first;
    for (let left = maxItems; call !== undefined && left > 0; ) {
      const answer: Success<'listPets'> = await list(call, options);
      yield answer.body.slice(0, left);
      left -= answer.body.length;
      call = nextCall(call, answer, seen);
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page;
    },
  };
}

// More than any round is long that comes of a mistake; and all pages of a long walk would fill the memory.
const PAGES_REMEMBERED = 1_000;

/** @param seen the addresses of the pages so far, or of the last of them */
function nextCall(
  call: Call<'listPets'>,
  answer: Success<'listPets'>,
  seen: Set<string>,
): Call<'listPets'> | undefined {
  const target = findLink(answer.headers.get('link'), 'next');
  if (target === undefined) return undefined;
  const address = URL.parse(target, call.address.href);
  // The key goes along. An address with a user name, or of another scheme, begins otherwise too.
  if (!address?.href.startsWith(`${call.address.origin}/`)) {
    throw unexpectedAnswer(call, answer, 'has a next link that leads elsewhere');
  }
  address.hash = '';
  if (seen.size === PAGES_REMEMBERED) seen.clear();
  seen.add(call.address.href);
  if (seen.has(address.href)) {
    throw unexpectedAnswer(call, answer, 'has a next link that leads back');
  }
  return { ...call, address };
}
