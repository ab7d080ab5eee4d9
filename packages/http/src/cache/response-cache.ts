import { LRUCache } from 'lru-cache';
import type { Response } from '../responses/response.ts';

/** A response, with what tells whether it may still be sent. */
export interface CacheEntry<Validity> {
  readonly response: Response;
  readonly validity: Validity;
}

/** Characters of all entries together, what surrounds the bodies included. */
const MAX_SIZE = 8 * 1024 * 1024;

/** What an entry takes beside its URL and body, in characters. */
const OVERHEAD = 500;

/**
 * URLs of a generation: those of the last two generations are known to have been requested. One set that is cleared
 * when it is full would be simpler, and took a quarter more time for an uncached pet.
 */
const GENERATION = 5_000;

/** A response with a longer URL is not cached, so that the URLs take little memory too. */
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
  #requested = new Set<string>();
  #requestedBefore = new Set<string>();

  find(url: string): CacheEntry<Validity> | undefined {
    return this.#entries.get(url);
  }

  /** Stores a response, unless this is the first request for its URL. */
  store(url: string, entry: CacheEntry<Validity>): void {
    if (url.length > MAX_URL_LENGTH) return;
    if (this.#requested.has(url) || this.#requestedBefore.has(url)) this.#entries.set(url, entry);
    else this.#addRequested(url);
  }

  #addRequested(url: string): void {
    if (this.#requested.size >= GENERATION) {
      this.#requestedBefore = this.#requested;
      this.#requested = new Set();
    }
    this.#requested.add(url);
  }
}
