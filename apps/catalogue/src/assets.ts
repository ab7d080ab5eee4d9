import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';

const FOLDER = new URL('./assets/', import.meta.url);

const MEDIA_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface Asset {
  body: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
  type: string;
}

const paths = new Map<string, string>();
const assets = new Map<string, Asset>();

for (const name of readdirSync(FOLDER)) {
  const body = new Uint8Array(readFileSync(new URL(name, FOLDER)));
  const type = MEDIA_TYPES[extname(name)];
  if (type === undefined) continue;
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  const path = `/assets/${digest}/${name}`;
  paths.set(name, path);
  assets.set(path, { body, gzipped: new Uint8Array(gzipSync(body, { level: 9 })), type });
}

/** The path of a script, style or image: it changes with its content, so that browsers keep it for ever. */
export function assetPath(name: string): string {
  const path = paths.get(name);
  if (path === undefined) throw new TypeError(`${name} is not among the assets: build the app`);
  return path;
}

/** Responds with an asset, or `undefined` when there is none at the path. */
export function sendAsset(request: Request): Response | undefined {
  const asset = assets.get(new URL(request.url).pathname);
  if (asset === undefined) return undefined;
  const isGzipped = request.headers.get('accept-encoding')?.includes('gzip') ?? false;
  return new Response(isGzipped ? asset.gzipped : asset.body, {
    headers: {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(isGzipped && { 'Content-Encoding': 'gzip' }),
    },
  });
}
