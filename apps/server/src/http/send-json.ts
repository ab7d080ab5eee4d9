import { hash } from 'node:crypto';
import { stringifyJson } from '@petstore/contract';
import type { Response } from 'express';

/**
 * Sends a value as lossless JSON: how every answer of the service leaves. A GET that succeeds gets an
 * entity tag, and 304 in place of a body that the caller has already (RFC 9110, 13.1.2).
 */
export function sendJson(res: Response, value: unknown): void {
  const body = stringifyJson(value);
  const { req } = res;
  if (
    res.statusCode === 200 &&
    (req.method === 'GET' || req.method === 'HEAD') &&
    !res.hasHeader('Cache-Control')
  ) {
    const etag = entityTag(body, res.get('Link'));
    res.setHeader('Cache-Control', 'private, no-cache');
    res.setHeader('ETag', etag);
    if (isNamed(etag, req.headers['if-none-match'])) {
      res.statusCode = 304;
      res.end();
      return;
    }
  } else if (!res.hasHeader('Cache-Control')) {
    res.setHeader('Cache-Control', 'no-store');
  }
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}

/** A page whose next link appears or goes has changed, though its animals have not. */
const entityTag = (body: string, link = '') => `"${hash('sha1', body + link, 'base64url')}"`;

/**
 * Whether If-None-Match names the entity tag, by weak comparison. Unlike Express's `req.fresh`, this
 * holds also with the `Cache-Control: no-cache` that every fetch adds to a conditional request.
 */
const isNamed = (etag: string, field: string | undefined) =>
  field?.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === etag);
