import { hash } from 'node:crypto';
import { stringifyJson } from '@petstore/contract';
import type { Response } from 'express';
import type { EncodedAnswer } from './answer-cache.ts';

/**
 * Sends a value as lossless JSON: how every answer of the service is made. A GET that succeeds gets an
 * entity tag; anything else is not to be stored.
 */
export function sendJson(res: Response, value: unknown): void {
  const body = stringifyJson(value);
  const { method } = res.req;
  if (res.statusCode === 200 && (method === 'GET' || method === 'HEAD') && !res.hasHeader('Cache-Control')) {
    const answer = encode(body, res.get('Link'));
    res.locals.keep?.(answer);
    sendAnswer(res, answer);
    return;
  }
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  sendBody(res, body, Buffer.byteLength(body));
}

/** Sends an answer to a GET, or 304 in place of a body that the caller has already (RFC 9110, 13.1.2). */
export function sendAnswer(res: Response, { body, length, etag, link }: EncodedAnswer): void {
  res.setHeader('Cache-Control', 'private, no-cache');
  res.setHeader('ETag', etag);
  if (link !== undefined) res.setHeader('Link', link);
  if (isNamed(etag, res.req.headers['if-none-match'])) {
    res.statusCode = 304;
    res.end();
    return;
  }
  sendBody(res, body, length);
}

function sendBody(res: Response, body: string, length: number): void {
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', length);
  res.end(body);
}

/** The link belongs to it: a page whose next link appears has changed, though its animals have not. */
function encode(body: string, link: string | undefined): EncodedAnswer {
  const etag = `"${hash('sha1', body + (link ?? ''), 'base64url')}"`;
  return { body, length: Buffer.byteLength(body), etag, link };
}

/**
 * Whether If-None-Match names the entity tag, by weak comparison. Unlike Express's `req.fresh`, this
 * holds also with the `Cache-Control: no-cache` that every fetch adds to a conditional request.
 */
const isNamed = (etag: string, field: string | undefined) =>
  field?.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === etag);
