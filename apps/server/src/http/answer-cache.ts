import type { RequestHandler } from 'express';
import type { Database, DatabaseVersion } from '../database/database.ts';
import { routeTemplate } from './access-log.ts';
import { sendAnswer } from './send-json.ts';

/** An answer to a GET as it leaves: encoded, with its entity tag. */
export interface EncodedAnswer {
  body: string;
  /** Bytes of the body. */
  length: number;
  etag: string;
  link: string | undefined;
}

/**
 * How long an answer stays true: always, because an animal never changes once it was added; or while the
 * database is as it was before the answer was read from it.
 */
export type Validity = 'always' | DatabaseVersion;

interface Kept {
  answer: EncodedAnswer;
  validity: Validity;
  /** Route template, for the log. */
  route: string | undefined;
}

/** Bytes of bodies that are kept at the most; the oldest answers go first. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What an answer takes beside its body. */
const OVERHEAD_BYTES = 500;

/**
 * Answers to GETs, by their address, so that an answer that is still true is neither read nor encoded
 * again. One that might not be true any more is never given: its validity is looked at each time.
 */
export class AnswerCache {
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  find(url: string): Kept | undefined {
    return this.#kept.get(url);
  }

  keep(url: string, kept: Kept): void {
    this.#drop(url);
    this.#kept.set(url, kept);
    this.#bytes += sizeOf(url, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#drop(oldest);
    }
  }

  #drop(url: string): void {
    const kept = this.#kept.get(url);
    if (kept === undefined) return;
    this.#kept.delete(url);
    this.#bytes -= sizeOf(url, kept);
  }
}

const sizeOf = (url: string, { answer }: Kept) => url.length + answer.length + OVERHEAD_BYTES;

/** Gives a kept answer that is still true, or lets the request on and keeps what it leads to. */
export const answerFromCache =
  (cache: AnswerCache, database: Database): RequestHandler =>
  async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const { url } = req;
    const kept = cache.find(url);
    if (kept && (kept.validity === 'always' || kept.validity === (await database.version()))) {
      res.locals.route = kept.route;
      sendAnswer(res, kept.answer);
      return;
    }
    res.locals.keep = (answer) => {
      const { validity } = res.locals;
      if (validity !== undefined) cache.keep(url, { answer, validity, route: routeTemplate(req.route) });
    };
    next();
  };
