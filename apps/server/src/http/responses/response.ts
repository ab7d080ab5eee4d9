import { entityTagOf } from '../cache/entity-tag.ts';

/** A response as a step returns it. */
export interface Response {
  readonly status: number;
  /** Its own headers, names and values in turn; `Content-Length` follows from the body. */
  readonly headers: readonly string[];
  /** A buffer is shared by all responses that carry it. */
  readonly body?: string | Buffer;
  /** The `ETag` among the headers, by which the request's preconditions are evaluated. */
  readonly etag?: string;
}

/** A response that carries a JSON text and must not be stored. */
export function jsonResponse(status: number, json: string, headers: readonly string[] = []): Response {
  return {
    status,
    headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-store', ...headers],
    body: json,
  };
}

/** A JSON response that private caches may store and must revalidate by its entity tag (RFC 9111, 5.2.2). */
export function taggedResponse(json: string, headers: readonly string[] = []): Response {
  const link = headers.indexOf('Link');
  const etag = entityTagOf(json, link < 0 ? '' : headers[link + 1]);
  const caching = ['Content-Type', 'application/json', 'Cache-Control', 'private, no-cache', 'ETag', etag];
  return { status: 200, headers: caching.concat(headers), body: json, etag };
}
