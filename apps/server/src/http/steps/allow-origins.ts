import { responseHeaders } from '@petstore/contract';
import type { Step } from '../pipeline.ts';

const DAY_S = 24 * 60 * 60;

const EXPOSED = ['Access-Control-Expose-Headers', Object.keys(responseHeaders).join(', ')];

const PREFLIGHT = [
  'Access-Control-Allow-Methods',
  'GET, HEAD, POST',
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id',
  'Access-Control-Max-Age',
  String(DAY_S),
];

/**
 * Lets pages of the given origins call the service (Fetch standard, CORS protocol), and responds to their
 * preflight requests. The page sends the key in a header that it sets itself: cookies are never allowed.
 * The `cors` package would set headers on a Node response, whereas ours are collected first.
 *
 * @param origins such as `https://shop.example`; `*` is any; none leaves every response without CORS headers
 */
export function allowOrigins(origins: readonly string[]): Step {
  const isAnyAllowed = origins.includes('*');
  const allowed = new Set(origins);
  return ({ req, headers }) => {
    const { origin } = req.headers;
    if (allowed.size === 0) return undefined;
    if (isAnyAllowed) headers.push('Access-Control-Allow-Origin', '*', ...EXPOSED);
    else {
      headers.push('Vary', 'Origin');
      if (origin !== undefined && allowed.has(origin)) {
        headers.push('Access-Control-Allow-Origin', origin, ...EXPOSED);
      }
    }
    // An OPTIONS that is no preflight request is a method like others.
    const isPreflight =
      req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
    return isPreflight ? { status: 204, headers: PREFLIGHT } : undefined;
  };
}
