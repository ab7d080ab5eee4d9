import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { v1 } from '@petstore/contract';
import type { OpenApiDocument, Servers } from '@petstore/contract/openapi';
import type { IRouter } from 'express';
import type { Config } from '../config.ts';
import { sendJson } from './send-json.ts';

/** Scalar's API reference, which the build copies out of its npm package. */
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

/** The page runs Scalar and talks to this service, and to nobody else. */
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

/** Loaded when somebody asks: a start does not wait for what no animal needs. */
async function render(servers: Servers): Promise<OpenApiDocument> {
  const { openApiDocument } = await import('@petstore/contract/openapi');
  return openApiDocument(servers);
}

/** One copy for all who ask, however slowly they take it. */
async function loadScript(file: URL): Promise<{ bytes: Buffer; etag: string }> {
  const bytes = await readFile(file);
  return { bytes, etag: `"${hash('sha1', bytes, 'base64url')}"` };
}

/** `/openapi.json`, and `/docs`, a page to read it and try it. Both without a key. */
export function serveDocs(
  app: IRouter,
  { PUBLIC_BASE_URL, STAGING_BASE_URL }: Config,
  scriptFile = SCALAR,
): void {
  let document: Promise<OpenApiDocument> | undefined;
  app.get('/openapi.json', async (_req, res) => {
    document ??= render({ production: PUBLIC_BASE_URL ?? v1.prefix, staging: STAGING_BASE_URL });
    sendJson(res, await document);
  });
  app.get('/docs', (_req, res) => {
    res.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    res.type('html').send(PAGE);
  });
  let script: ReturnType<typeof loadScript> | undefined;
  app.get('/docs/scalar.js', async (_req, res) => {
    script ??= loadScript(scriptFile);
    const { bytes, etag } = await script.catch((error) => {
      script = undefined;
      throw error;
    });
    res.set({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
      ETag: etag,
    });
    res.send(bytes);
  });
}

export const docsRoutes = [
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/docs' },
  { method: 'GET', path: '/docs/scalar.js' },
] as const;
