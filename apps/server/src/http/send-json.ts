import { hash } from 'node:crypto';
import { stringifyJson } from '@petstore/contract';
import type { Response } from 'express';

/**
 * Sends a value as lossless JSON: how every answer of the service leaves. A GET that succeeds gets an
 * entity tag, and 304 in place of a body that the caller has already (RFC 9110, 13.1.2).
 */
export function sendJson(res: Response, value: unknown): void {
  const body = Buffer.from(stringifyJson(value));
  const { req } = res;
  if (
    res.statusCode === 200 &&
    (req.method === 'GET' || req.method === 'HEAD') &&
    !res.hasHeader('Cache-Control')
  ) {
    res.setHeader('Cache-Control', 'private, no-cache');
    res.setHeader('ETag', `"${hash('sha1', body, 'base64url')}"`);
    if (req.headers['if-none-match'] !== undefined && req.fresh) {
      res.statusCode = 304;
      res.end();
      return;
    }
  } else if (!res.hasHeader('Cache-Control')) {
    res.setHeader('Cache-Control', 'no-store');
  }
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', body.length);
  res.end(body);
}
