import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { stringifyJson, type Version, v1 } from '@petstore/contract';
import { openApiDocument, type Servers } from '@petstore/contract/openapi';
import type { Express, RequestHandler } from 'express';
import sirv from 'sirv';
import { entityTagOf, sendTagged } from '../http/entity-tags.ts';
import { Urls } from '../http/urls.ts';
import { addPublicRoute } from './probes.ts';

/**
 * Serves `/docs`, a page to read the OpenAPI document and try the service. `/` and `/docs/` redirect to it.
 * `/openapi.json` is version 1; a later version has a document such as `/openapi-v2.json`.
 * @param baseUrls as configured: they end with `/v1`, also for later versions
 */
export function serveDocs(app: Express, versions: readonly Version[], baseUrls: Servers): void {
  addPublicRoute(app, '/', redirectTo('docs'));
  addPublicRoute(app, '/docs/', redirectTo('../docs'));
  const assets = fileURLToPath(new URL('.', import.meta.resolve('#assets/docs.html')));
  const files = sirv(assets, { etag: true, gzip: true, brotli: true });
  for (const path of ['/docs', '/docs/:file'])
    addPublicRoute(app, path, setFileHeaders(baseUrls), handleFileStream, files);
  for (const version of versions) {
    const path = version.prefix === v1.prefix ? '/openapi.json' : `/openapi-${version.prefix.slice(1)}.json`;
    addPublicRoute(app, path, sendDocument(version, baseUrls));
  }
}

const redirectTo =
  (path: string): RequestHandler =>
  (_req, res) =>
    res.set('Cache-Control', 'no-cache').redirect(path);

/** The page may call the servers that the OpenAPI document names. */
function contentSecurityPolicy({ production, staging }: Servers): string {
  const origins = [production, staging].flatMap((url) => (url ? new URL(url).origin : []));
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Scalar adds style elements to the page.
    "style-src 'self' 'unsafe-inline'",
    ["connect-src 'self'", ...origins].join(' '),
    // Scalar's script has its icons as data URLs.
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The build names a script after its content, so a script never changes. sirv's `setHeaders` does not run for a 304. */
function setFileHeaders(baseUrls: Servers): RequestHandler {
  const policy = contentSecurityPolicy(baseUrls);
  return ({ path }, res, next) => {
    const isScript = path.endsWith('.js');
    res.set('Cache-Control', isScript ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (!isScript) res.set('Content-Security-Policy', policy);
    next();
  };
}

/** Bytes of an open file in memory: a piece in its stream, and a piece on the way to the caller. */
const FILE_BYTES = 2 * 64 * 1024;

/** sirv leaks a file whose reader is gone, and reads a file for HEAD. An unreadable file would end the process. */
const handleFileStream: RequestHandler = (req, res, next) => {
  // A server may ignore Range (RFC 9110, 14.2), and sirv misreads some invalid ranges.
  delete req.headers.range;
  res.once('pipe', (file: Readable) => {
    file.once('error', () => res.destroy());
    res.once('close', () => file.destroy());
    res.locals.connection.hold(FILE_BYTES);
    if (req.method === 'HEAD') file.once('close', () => res.end()).destroy();
  });
  next();
};

function sendDocument(version: Version, baseUrls: Servers): RequestHandler {
  const production = new Urls(version.prefix, baseUrls.production).base;
  const staging = baseUrls.staging && new Urls(version.prefix, baseUrls.staging).base;
  let json: Buffer | undefined;
  return (_req, res) => {
    // The first request renders the document, so that a start does not wait for it.
    json ??= Buffer.from(stringifyJson(openApiDocument({ production, staging }, version)));
    sendTagged(res, json, entityTagOf(json));
  };
}
