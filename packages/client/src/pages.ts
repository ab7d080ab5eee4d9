import { findLink } from '@petstore/contract/link';
import type { Pet } from './contract.ts';
import { refusal, unexpectedAnswer } from './pet-store-error.ts';
import type { Send } from './send.ts';

/** Walks a listing from the page at `address` to the last, along the `next` links (RFC 8288). */
export async function* walkPages(send: Send, address: URL): AsyncGenerator<Pet, void, undefined> {
  let page: URL | undefined = address;
  while (page !== undefined) {
    const answer = await send('listPets', page);
    if (answer.status !== 200) throw refusal(answer);
    yield* answer.body;
    page = nextPage(page, answer);
  }
}

/** The key goes along with the request, so a link to another origin is not followed. */
function nextPage(page: URL, answer: { status: 200; headers: Headers }): URL | undefined {
  const target = findLink(answer.headers.get('link'), 'next');
  if (target === undefined) return undefined;
  const next = URL.parse(target, page.href);
  if (next?.origin !== page.origin) throw unexpectedAnswer('The next link leads to another origin', answer);
  return next;
}
