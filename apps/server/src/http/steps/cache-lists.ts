import { LRUCache } from 'lru-cache';
import { contextOf, type Step } from '../request-context.ts';
import { sendTagged } from '../send-json.ts';

/** Characters of all lists together. */
const MAX_SIZE = 8 * 1024 * 1024;

/** What a list takes beside its URL and text, in characters. */
const OVERHEAD = 500;

/** A list as it was sent. */
interface CachedList {
  readonly json: string;
  readonly etag: string;
  readonly link: string | undefined;
}

/** Keeps the lists that were sent, by URL, for as long as nothing is committed to the database. */
export class ListCache {
  /** Lists that were sent from the cache, and others, since the start. */
  hits = 0;
  misses = 0;
  readonly #lists = new LRUCache<string, CachedList>({
    maxSize: MAX_SIZE,
    sizeCalculation: ({ json }, url) => url.length + json.length + OVERHEAD,
  });
  readonly #readVersion: () => number;
  #version: number | undefined;

  /** @param readVersion changes with each commit */
  constructor(readVersion: () => number) {
    this.#readVersion = readVersion;
  }

  /** The step that responds to a read from the cache, or keeps the list that the next steps send. */
  readonly step: Step = ({ method, url = '' }, res, next) => {
    if (method !== 'GET' && method !== 'HEAD') {
      next();
      return;
    }
    const version = this.#readVersion();
    if (version !== this.#version) {
      this.#lists.clear();
      this.#version = version;
    }
    const cached = this.#lists.get(url);
    if (cached === undefined) {
      contextOf(res).keepList = (json, etag) => {
        this.misses += 1;
        // What was read since then may be from before the last commit.
        if (version === this.#version) this.#lists.set(url, { json, etag, link: res.get('Link') });
      };
      next();
      return;
    }
    this.hits += 1;
    if (cached.link !== undefined) res.set('Link', cached.link);
    sendTagged(res, cached.json, cached.etag);
  };
}
