import type { IncomingMessage } from 'node:http';
import { stringifyJson } from '@petstore/contract';
import { entityTagOf, matchesEntityTag, namesEntityTag } from './cache/entity-tag.ts';
import { HttpError } from './http-error.ts';
import type { RequestContext } from './pipeline.ts';
import { endInBatch } from './response-batch.ts';

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

/** A response that carries a value as lossless JSON and must not be stored. */
export function jsonResponse(status: number, value: unknown, headers: readonly string[] = []): Response {
  return {
    status,
    headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-store', ...headers],
    body: stringifyJson(value),
  };
}

/** A JSON response that private caches may store and must revalidate by its entity tag (RFC 9111, 5.2.2). */
export function taggedResponse(value: unknown, headers: readonly string[] = []): Response {
  const body = stringifyJson(value);
  const link = headers.indexOf('Link');
  const etag = entityTagOf(body, link < 0 ? '' : headers[link + 1]);
  const caching = ['Content-Type', 'application/json', 'Cache-Control', 'private, no-cache', 'ETag', etag];
  return { status: 200, headers: caching.concat(headers), body, etag };
}

/**
 * Evaluates If-Match and If-None-Match (RFC 9110, 13.2.2). Express's `req.fresh` would ignore both beside
 * the `Cache-Control: no-cache` that every fetch adds to a conditional request.
 *
 * @returns the response itself, or 304 when the caller has its body already
 * @throws HttpError `precondition_failed`
 */
export function applyPreconditions({ headers }: IncomingMessage, response: Response): Response {
  const { etag } = response;
  if (etag === undefined) return response;
  if (headers['if-match'] !== undefined && !matchesEntityTag(headers['if-match'], etag)) {
    throw new HttpError('precondition_failed');
  }
  return namesEntityTag(headers['if-none-match'], etag) ? notModified(response) : response;
}

/** Headers that describe a body, which a 304 does not have. */
const DESCRIBES_BODY = /^Content-/;

function notModified({ headers }: Response): Response {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    if (!DESCRIBES_BODY.test(name)) kept.push(name, value);
  }
  return { status: 304, headers: kept };
}

/** From this length on, a body is encoded before it is sent. */
const LARGE_BODY = 64 * 1024;

/** Sends a response: the only place that writes one to a request. */
export function sendResponse({ res, connection, headers }: RequestContext, response: Response): void {
  const { status } = response;
  // Node would copy a large string twice: to join it with the head, and to encode it.
  const isLarge = typeof response.body === 'string' && response.body.length >= LARGE_BODY;
  const body = isLarge ? Buffer.from(response.body) : response.body;
  const fields = headers.concat(response.headers);
  if (body !== undefined) fields.push('Content-Length', String(Buffer.byteLength(body)));
  if (connection.isLastResponse()) fields.push('Connection', 'close');
  if (typeof response.body === 'string') connection.hold(response.body.length);
  endInBatch(res.writeHead(status, fields), body);
}
