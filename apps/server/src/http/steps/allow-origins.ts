import type { Step } from '../pipeline/step.ts';

const DAY_S = 24 * 60 * 60;

interface CorsOptions {
  /** Such as `https://shop.example`; `*` is any; none leaves every response without CORS headers. */
  origins: readonly string[];
  /** The methods that pages may use. */
  methods: readonly string[];
  /** Names of the request headers that pages may set. */
  requestHeaders: readonly string[];
  /** Names of the response headers that pages may read. */
  responseHeaders: readonly string[];
}

/**
 * Lets pages of the given origins call the service (Fetch standard, CORS protocol), and responds to their
 * preflight requests. The page sends the key in a header that it sets itself: cookies are never allowed.
 * The `cors` package would set headers on a Node response, whereas ours are collected first.
 */
export function allowOrigins({ origins, methods, requestHeaders, responseHeaders }: CorsOptions): Step {
  const exposed = ['Access-Control-Expose-Headers', responseHeaders.join(', ')];
  const preflight = [
    ...['Access-Control-Allow-Methods', methods.join(', ')],
    ...['Access-Control-Allow-Headers', requestHeaders.join(', ')],
    ...['Access-Control-Max-Age', String(DAY_S)],
  ];
  const isAnyAllowed = origins.includes('*');
  const allowed = new Set(origins);
  return ({ req, headers }) => {
    const { origin } = req.headers;
    if (allowed.size === 0) return undefined;
    if (isAnyAllowed) headers.push('Access-Control-Allow-Origin', '*', ...exposed);
    else {
      headers.push('Vary', 'Origin');
      if (origin !== undefined && allowed.has(origin)) {
        headers.push('Access-Control-Allow-Origin', origin, ...exposed);
      }
    }
    // An OPTIONS that is no preflight request is a method like others.
    const isPreflight =
      req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
    return isPreflight ? { status: 204, headers: preflight } : undefined;
  };
}
