import { readFile } from 'node:fs/promises';
import { entityTagOf } from '../cache/entity-tag.ts';
import type { Response } from '../response.ts';
import type { PublicRoute } from '../steps/public-routes.ts';

/** Scalar's API reference, which the build copies from its npm package. */
const SCALAR = new URL(import.meta.resolve('#scalar.js'));

const SCALAR_CONFIGURATION = {
  // Relative, for a gateway that puts a prefix before the path.
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Pet Store Service</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <script id="api-reference" data-configuration='${JSON.stringify(SCALAR_CONFIGURATION)}'></script>
    <script src="docs/scalar.js"></script>
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

/**
 * `/docs`: a page to read the OpenAPI document and try it, at which `/` points as well.
 *
 * @param scriptFile of the page
 */
export function docsRoutes(scriptFile = SCALAR): Record<'/' | '/docs' | '/docs/scalar.js', PublicRoute> {
  let script: Promise<Response> | undefined;

  /** Read on the first request, and once for all callers, however slowly they read it. */
  async function loadScript(): Promise<Response> {
    const body = await readFile(scriptFile);
    const etag = entityTagOf(body);
    const headers = [
      'Content-Type',
      'text/javascript; charset=utf-8',
      'Cache-Control',
      'public, max-age=3600',
    ];
    return { status: 200, headers: [...headers, 'ETag', etag], body, etag };
  }

  return {
    '/': () => redirect,
    '/docs': () => page,
    '/docs/scalar.js': async () => {
      script ??= loadScript();
      // A file that cannot be read now may be readable later.
      script.catch(() => {
        script = undefined;
      });
      return script;
    },
  };
}
