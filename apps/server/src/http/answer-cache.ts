import type { DatabaseEpoch, DatabaseVersion } from '../database/database.ts';

/**
 * How long an answer stays true: as long as the database's epoch, because an animal never changes once it
 * was added; or while the database is as it was. Either is that from before the answer was read.
 */
export type Validity = DatabaseEpoch | DatabaseVersion;

/** An answer to a GET as it leaves. */
export interface KeptAnswer {
  /** Header fields, names and values in turn, but for those that describe the body or the request. */
  head: readonly string[];
  body: string;
  etag: string;
  validity: Validity;
  /** Route template, for the log. */
  route: string | undefined;
}

/** Characters that are kept at the most, what surrounds the bodies included; the oldest answers go first. */
const MAX_SIZE = 8 * 1024 * 1024;

/** What an answer takes beside its body. */
const OVERHEAD = 500;

/** Answers to GETs, by their address. Whoever takes one out looks at its validity first. */
export class AnswerCache {
  readonly #kept = new Map<string, KeptAnswer>();
  #size = 0;

  find(url: string): KeptAnswer | undefined {
    return this.#kept.get(url);
  }

  keep(url: string, answer: KeptAnswer): void {
    this.#drop(url);
    this.#kept.set(url, answer);
    this.#size += sizeOf(url, answer);
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= MAX_SIZE) break;
      this.#drop(oldest);
    }
  }

  #drop(url: string): void {
    const kept = this.#kept.get(url);
    if (kept === undefined) return;
    this.#kept.delete(url);
    this.#size -= sizeOf(url, kept);
  }
}

const sizeOf = (url: string, { body }: KeptAnswer) => url.length + body.length + OVERHEAD;
