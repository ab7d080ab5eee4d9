import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { entityTagOf } from '../cache/entity-tag.ts';
import { type Coding, chooseCoding } from './content-coding.ts';
import type { Response } from './response.ts';

/** What a compressed file has at the end of its name. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const satisfies Record<Coding, string>;

type Body = Required<Pick<Response, 'body' | 'etag'>>;

/**
 * A file that callers can fetch, with its compressed forms beside it. Each form is read when it is first asked for, and
 * then kept: all callers share it, however slowly they read.
 */
export class StoredFile {
  readonly #url: string;
  readonly #codings: readonly Coding[];
  readonly #bodies = new Map<Coding | undefined, Promise<Body>>();

  /** @param codings in which the file exists beside itself, the best one first */
  constructor(url: string, codings: readonly Coding[] = []) {
    this.#url = url;
    this.#codings = codings;
  }

  /** The response with the form that a request accepts. */
  async respond(request: IncomingHttpHeaders, headers: readonly string[]): Promise<Response> {
    const coding = chooseCoding(request['accept-encoding'], this.#codings);
    const { body, etag } = await this.#load(coding);
    const all = [...headers, 'ETag', etag];
    if (this.#codings.length > 0) all.push('Vary', 'Accept-Encoding');
    if (coding !== undefined) all.push('Content-Encoding', coding);
    return { status: 200, headers: all, body, etag };
  }

  #load(coding: Coding | undefined): Promise<Body> {
    const known = this.#bodies.get(coding);
    if (known !== undefined) return known;
    const suffix = coding === undefined ? '' : SUFFIXES[coding];
    const loading = readFile(new URL(this.#url + suffix)).then((body) => ({ body, etag: entityTagOf(body) }));
    this.#bodies.set(coding, loading);
    // A file that cannot be read now may be readable later.
    loading.catch(() => this.#bodies.delete(coding));
    return loading;
  }
}
