import { LRUCache } from 'lru-cache';
import { contextOf, type SentList, type Step } from '../request-context.ts';
import { sendTagged } from '../send-json.ts';

/** Characters of all lists together. */
const MAX_SIZE = 4 * 1024 * 1024;

/** What a list takes beside its URL and text, in characters. */
const OVERHEAD = 500;

interface CachedList extends SentList {
  /** That of the database before the list was read. */
  readonly version: number;
}

/** Keeps the lists that were sent, by URL. One is valid for as long as nothing is committed to the database. */
export class ListCache {
  /** Requests that got a cached list, and other reads, since the start. */
  hits = 0;
  misses = 0;
  /**
   * A list is kept from the second request for it on. To keep each, with the version that this takes, would make those
   * that are asked for once 1.3 times as dear.
   */
  readonly #lists = new LRUCache<string, CachedList | 'requested once'>({
    maxSize: MAX_SIZE,
    sizeCalculation: (list, url) =>
      url.length + OVERHEAD + (list === 'requested once' ? 0 : list.json.length),
  });
  readonly #readVersion: () => number;

  /** @param readVersion changes with each commit */
  constructor(readVersion: () => number) {
    this.#readVersion = readVersion;
  }

  /** The step that responds to a request for a list from the cache, or keeps the list that the next steps send. */
  readonly step: Step = ({ url = '' }, res, next) => {
    const context = contextOf(res);
    if (context.operation?.isList !== true) {
      next();
      return;
    }
    const cached = this.#lists.get(url);
    const version = cached === undefined ? undefined : this.#readVersion();
    if (typeof cached !== 'object' || cached.version !== version) {
      // Without `res` in its scope: V8 keeps ended responses with it until it collects old objects, 130 MB under load.
      context.keepList = (list) => {
        this.misses += 1;
        this.#lists.set(url, version === undefined ? 'requested once' : { version, ...list });
      };
      next();
      return;
    }
    this.hits += 1;
    if (cached.link !== undefined) res.set('Link', cached.link);
    sendTagged(res, cached.json, cached.etag);
  };
}
