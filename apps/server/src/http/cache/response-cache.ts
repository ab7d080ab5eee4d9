import { LRUCache } from 'lru-cache';
import type { DatabaseVersion } from '../../database/database.ts';
import type { Response } from '../response.ts';

/**
 * What a cached response depends on: a page on everything the database holds, a pet, which never changes,
 * only on the epoch, in which nothing committed is lost.
 */
export interface Validity {
  /** From before the response was read. */
  readonly version: DatabaseVersion;
  readonly dependsOn: 'content' | 'epoch';
}

export interface CacheEntry {
  readonly response: Response;
  readonly validity: Validity;
}

/** Characters of all entries together, what surrounds the bodies included. */
const MAX_SIZE = 8 * 1024 * 1024;

/** What an entry takes beside its URL and body, in characters. */
const OVERHEAD = 500;

/** What a URL alone takes beside its text, in characters. */
const URL_OVERHEAD = 60;

/** Characters of the URLs that are known to have been requested once. */
const MAX_REQUESTED_ONCE_SIZE = 1024 * 1024;

/**
 * Responses to GET requests by URL. A response is stored when its URL is requested for the second time:
 * storing one that is never used again would cost a tenth of an uncached request.
 */
export class ResponseCache {
  readonly #entries = new LRUCache<string, CacheEntry>({
    maxSize: MAX_SIZE,
    sizeCalculation: ({ response }, url) => url.length + (response.body?.length ?? 0) + OVERHEAD,
  });
  readonly #requestedOnce = new LRUCache<string, true>({
    maxSize: MAX_REQUESTED_ONCE_SIZE,
    sizeCalculation: (_, url) => url.length + URL_OVERHEAD,
  });

  /** Finds the response that is valid at a version of the database. */
  find(url: string, version: DatabaseVersion): Response | undefined {
    const entry = this.#entries.get(url);
    return entry && isValid(entry.validity, version) ? entry.response : undefined;
  }

  /** Whether a lookup can succeed, without the cost of asking the database for its version. */
  has(url: string): boolean {
    return this.#entries.has(url);
  }

  /** Stores a response, unless this is the first request for its URL. */
  store(url: string, entry: CacheEntry): void {
    if (this.#entries.has(url) || this.#requestedOnce.delete(url)) this.#entries.set(url, entry);
    else this.#requestedOnce.set(url, true);
  }
}

const isValid = ({ version, dependsOn }: Validity, present: DatabaseVersion) =>
  version.epoch === present.epoch &&
  (dependsOn === 'epoch' || (version.content !== undefined && version.content === present.content));
