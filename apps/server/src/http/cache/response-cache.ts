import { LRUCache } from 'lru-cache';
import type { Response } from '../responses/response.ts';

/** A response, with what tells whether it may still be sent. */
interface CacheEntry<Validity> {
  readonly response: Response;
  readonly validity: Validity;
}

/** Characters of all entries together, what surrounds the bodies included. */
const MAX_SIZE = 8 * 1024 * 1024;

/** What an entry takes beside its URL and body, in characters. */
const OVERHEAD = 500;

/** Slots for the URLs that were requested, each of the one that came last: a power of two. */
const SLOTS = 16_384;

/** A response with a longer URL is not cached, so that the hash of one takes little time. */
const MAX_URL_LENGTH = 1_024;

/**
 * Responses to GET requests by URL. A response is stored when its URL is requested for the second time:
 * storing one that is never used again would cost a tenth of an uncached request.
 */
export class ResponseCache<Validity extends object> {
  /** Requests that got a cached response, and others that could have got one, since the start. */
  hits = 0;
  misses = 0;
  readonly #entries = new LRUCache<string, CacheEntry<Validity>>({
    maxSize: MAX_SIZE,
    sizeCalculation: ({ response }, url) => url.length + (response.body?.length ?? 0) + OVERHEAD,
  });
  /**
   * The hash of a URL in each slot, or 0. With sets of the URLs themselves an uncached pet or list takes 3 % more processor
   * time (medians of seven pairs of processes, 40,000 requests of each).
   */
  readonly #requested = new Int32Array(SLOTS);

  find(url: string): CacheEntry<Validity> | undefined {
    return this.#entries.get(url);
  }

  /** Stores a response, unless this is the first request for its URL. */
  store(url: string, entry: CacheEntry<Validity>): void {
    if (url.length > MAX_URL_LENGTH) return;
    const hash = hashOf(url);
    const slot = hash & (SLOTS - 1);
    if (this.#requested[slot] === hash) this.#entries.set(url, entry);
    else this.#requested[slot] = hash;
  }
}

/** FNV-1a, of 32 bits. Two URLs with the same hash only have a response stored one request too early. */
function hashOf(url: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < url.length; index += 1) {
    hash = Math.imul(hash ^ url.charCodeAt(index), 0x01000193);
  }
  return hash;
}
