import { LRUCache } from 'lru-cache';
import { sendTagged, type TaggedBody } from '../entity-tags.ts';
import type { Middleware } from '../request-context.ts';

/** Characters of all lists together. */
const MAX_SIZE = 4 * 1024 * 1024;

/** Memory of a list beside its URL and text, in characters. */
const OVERHEAD = 500;

interface CachedList extends TaggedBody {
  /** The version of the database before the list was read. */
  readonly version: number;
}

/** A cache of lists by URL. An entry is valid while nothing is committed to the database. */
export class ListCache {
  /** Lists that were sent from the cache since the start, and lists that were read from the database. */
  hits = 0;
  misses = 0;
  /** By URL. A second request caches the list: reading the version would make a first one take 1.3 times as long. */
  readonly #lists = new LRUCache<string, CachedList | 'requested once'>({
    maxSize: MAX_SIZE,
    sizeCalculation: (list, url) =>
      url.length + OVERHEAD + (list === 'requested once' ? 0 : list.json.length),
  });
  readonly #readVersion: () => number;

  /** @param readVersion returns another number after each commit */
  constructor(readVersion: () => number) {
    this.#readVersion = readVersion;
  }

  /** Responds from the cache, or keeps the list that the handler returns. */
  readonly middleware: Middleware<{ readonly originalUrl: string }> = ({ originalUrl: url }, res, next) => {
    const cached = this.#lists.get(url);
    const version = cached === undefined ? undefined : this.#readVersion();
    if (typeof cached === 'object' && cached.version === version) {
      this.hits += 1;
      sendTagged(res, cached.json, cached.etag, cached.link);
      return;
    }
    // The closure must not capture `res`: V8 would keep ended responses until a major collection, 130 MB under load.
    res.locals.keepList = (list) => {
      this.misses += 1;
      this.#lists.set(url, version === undefined ? 'requested once' : { version, ...list });
    };
    next();
  };
}
