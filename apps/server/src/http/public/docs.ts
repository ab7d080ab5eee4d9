import { readFile } from 'node:fs/promises';
import { entityTagOf } from '../cache/entity-tag.ts';
import type { Response } from '../response.ts';
import type { PublicRoute } from '../steps/public-routes.ts';

/** Scalar's API reference, which the build copies from its npm package. */
const SCALAR = new URL(import.meta.resolve('#scalar.js'));

/** What configures it: built from `browser/docs-page.ts`. */
const PAGE_SCRIPT = new URL(import.meta.resolve('#docs-page.js'));

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Pet Store Service</title>
    <link rel="icon" href="data:,">
    <style>
      :root { --scalar-custom-header-height: 40px; }
      body { margin: 0; }
      body > header {
        position: sticky; top: 0; z-index: 1; box-sizing: border-box;
        height: var(--scalar-custom-header-height); padding: 0 24px;
        display: flex; align-items: center; justify-content: flex-end;
        font: 14px system-ui, sans-serif;
        color: var(--scalar-color-2); background: var(--scalar-background-1);
        border-bottom: 1px solid var(--scalar-border-color);
      }
      body > header label { display: flex; align-items: center; gap: 8px; }
    </style>
  </head>
  <body>
    <header>
      <label><input type="checkbox" id="keep-key" autocomplete="off"> Keep the API key in this browser</label>
    </header>
    <!-- Not "api-reference": Scalar would render a second one of that name by itself. -->
    <div id="reference"></div>
    <script src="docs/scalar.js"></script>
    <script src="docs/page.js"></script>
  </body>
</html>
`;

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

const page: Response = {
  status: 200,
  headers: [
    'Content-Type',
    'text/html; charset=utf-8',
    'Cache-Control',
    'no-cache',
    'Content-Security-Policy',
    CONTENT_SECURITY_POLICY,
  ],
  body: Buffer.from(PAGE),
};

const redirect: Response = {
  status: 302,
  headers: ['Location', 'docs', 'Cache-Control', 'no-cache'],
  body: '',
};

/** `/docs`: a page to read the OpenAPI document and try it, at which `/` points as well. */
export function docsRoutes(): Record<'/' | '/docs' | '/docs/scalar.js' | '/docs/page.js', PublicRoute> {
  return {
    '/': () => redirect,
    '/docs': () => page,
    '/docs/scalar.js': scriptRoute(SCALAR),
    '/docs/page.js': scriptRoute(PAGE_SCRIPT),
  };
}

/** Serves a script, which is read on the first request, and once for all callers, however slowly they read it. */
export function scriptRoute(file: URL): PublicRoute {
  let script: Promise<Response> | undefined;

  async function load(): Promise<Response> {
    const body = await readFile(file);
    const etag = entityTagOf(body);
    const headers = [
      'Content-Type',
      'text/javascript; charset=utf-8',
      'Cache-Control',
      'public, max-age=3600',
    ];
    return { status: 200, headers: [...headers, 'ETag', etag], body, etag };
  }

  return async () => {
    script ??= load();
    // A file that cannot be read now may be readable later.
    script.catch(() => {
      script = undefined;
    });
    return script;
  };
}
