import { readdirSync } from 'node:fs';
import type { Response } from '../http/responses/response.ts';
import { StoredFile } from '../http/responses/stored-file.ts';
import type { PublicRoute } from '../http/steps/serve-public-routes.ts';

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

const SCRIPT_HEADERS = ['Content-Type', 'text/javascript; charset=utf-8'];

/** Under its name with a hash a script never changes. */
const HASHED_SCRIPT_HEADERS = [...SCRIPT_HEADERS, 'Cache-Control', 'public, max-age=31536000, immutable'];

/** Under its plain name it is for the pages of other releases, while servers are being replaced. */
const PLAIN_SCRIPT_HEADERS = [...SCRIPT_HEADERS, 'Cache-Control', 'no-cache'];

/** How the build names a script. */
const HASHED_SCRIPT = /^(\w+)\.[\da-f]+\.js$/;

const redirect: Response = {
  status: 302,
  headers: ['Location', 'docs', 'Cache-Control', 'no-cache'],
  body: '',
};

/** `/docs`: a page to read the OpenAPI document and try it, at which `/` points as well. The build makes its files. */
export function docsRoutes(): Record<string, PublicRoute> {
  const page = new StoredFile(import.meta.resolve('#assets/docs.html'));
  return {
    '/': () => redirect,
    '/docs': ({ req }) => page.respond(req.headers, PAGE_HEADERS),
    ...scriptRoutes(new URL('.', import.meta.resolve('#assets/docs.html'))),
  };
}

function scriptRoutes(folder: URL): Record<string, PublicRoute> {
  const routes: Record<string, PublicRoute> = {};
  for (const file of readdirSync(folder)) {
    const name = HASHED_SCRIPT.exec(file)?.[1];
    if (name === undefined) continue;
    const script = new StoredFile(new URL(file, folder).href, ['br', 'gzip']);
    routes[`/docs/${file}`] = ({ req }) => script.respond(req.headers, HASHED_SCRIPT_HEADERS);
    routes[`/docs/${name}.js`] = ({ req }) => script.respond(req.headers, PLAIN_SCRIPT_HEADERS);
  }
  return routes;
}
