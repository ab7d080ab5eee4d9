import type { Database, DatabaseVersion } from '../database/database.ts';

/**
 * How long a response is valid: a single pet for the epoch of the database, because it never changes once it
 * was added; a page while the content is the same as well.
 */
export interface Validity {
  version: DatabaseVersion;
  of: 'pet' | 'page';
}

/** Whether a response is valid still, commits of other processes considered. */
export function isValid(
  { version, of }: Validity,
  database: Pick<Database, 'epoch' | 'version'>,
): boolean | Promise<boolean> {
  if (of === 'pet') return version.epoch === database.epoch;
  const isCurrent = ({ epoch, content }: DatabaseVersion) =>
    content !== undefined && content === version.content && epoch === version.epoch;
  const current = database.version();
  return current instanceof Promise ? current.then(isCurrent) : isCurrent(current);
}

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
