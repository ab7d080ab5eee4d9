import { responseHeaders } from '@petstore/contract';
import cors from 'cors';
import type { RequestHandler } from 'express';

const DAY_S = 24 * 60 * 60;

/**
 * Lets pages of the given origins call the service (Fetch standard, CORS protocol). The key travels in a
 * header that the page sets itself: cookies are never allowed.
 *
 * @param origins such as `https://shop.example`; `*` is any
 */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const answer = cors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'X-Request-Id'],
    exposedHeaders: Object.keys(responseHeaders),
    maxAge: DAY_S,
  });
  return (req, res, next) => {
    // The library would take every OPTIONS for a question of CORS.
    const isPlainOptions = req.method === 'OPTIONS' && !req.headers['access-control-request-method'];
    if (isPlainOptions) next();
    else answer(req, res, next);
  };
}
