import { readFile } from 'node:fs/promises';
import { entityTagOf } from '../cache/entity-tag.ts';
import type { Response } from '../response.ts';
import type { PublicRoute } from '../steps/public-routes.ts';

const SCRIPT_HEADERS = [
  'Content-Type',
  'text/javascript; charset=utf-8',
  'Cache-Control',
  'public, max-age=3600',
];

/** The page runs Scalar and calls this service, and nothing else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = [
  ...['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', 'no-cache'],
  ...['Content-Security-Policy', CONTENT_SECURITY_POLICY],
];

const redirect: Response = {
  status: 302,
  headers: ['Location', 'docs', 'Cache-Control', 'no-cache'],
  body: '',
};

/** `/docs`: a page to read the OpenAPI document and try it, at which `/` points as well. The build makes its files. */
export function docsRoutes(): Record<'/' | '/docs' | '/docs/scalar.js' | '/docs/page.js', PublicRoute> {
  return {
    '/': () => redirect,
    '/docs': fileRoute(import.meta.resolve('#docs-page.html'), PAGE_HEADERS),
    '/docs/scalar.js': fileRoute(import.meta.resolve('#scalar.js'), SCRIPT_HEADERS),
    '/docs/page.js': fileRoute(import.meta.resolve('#docs-page.js'), SCRIPT_HEADERS),
  };
}

/** Serves a file, which is read on the first request, and once for all callers, however slowly they read it. */
export function fileRoute(url: string, headers: readonly string[]): PublicRoute {
  let response: Promise<Response> | undefined;

  async function load(): Promise<Response> {
    const body = await readFile(new URL(url));
    const etag = entityTagOf(body);
    return { status: 200, headers: [...headers, 'ETag', etag], body, etag };
  }

  return async () => {
    response ??= load();
    // A file that cannot be read now may be readable later.
    response.catch(() => {
      response = undefined;
    });
    return response;
  };
}
