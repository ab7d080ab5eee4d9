import { createHash } from 'node:crypto';
import { type ErrorCode, errorCodes, stringifyJson } from '@petstore/contract';

/** A refusal on its way to the one place that turns it into an answer. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, headers: Record<string, string> = {}) {
    super(errorCodes[code].description);
    this.code = code;
    this.headers = headers;
  }
}

/** The Error body of a refusal. */
export function refuse({ code, message, headers }: Refusal): Response {
  const { status } = errorCodes[code];
  return json(status, stringifyJson({ code, message, status }), headers);
}

/** An answer to a GET, with an entity tag; 304 when the caller has it already. */
export function cacheable(request: Request, value: unknown, headers: Record<string, string>): Response {
  const text = stringifyJson(value);
  const { Link = '' } = headers;
  const etag = `"${createHash('sha256').update(text).update(Link).digest('base64url')}"`;
  const all = { ...headers, ETag: etag, 'Cache-Control': 'private, no-cache' };
  const known = (request.headers.get('if-none-match') ?? '').split(/\s*,\s*/);
  const unchanged = known.some((tag) => tag.replace(/^W\//, '') === etag);
  return unchanged ? new Response(null, { status: 304, headers: all }) : json(200, text, all);
}

/** An answer with a JSON text. */
export function json(status: number, text: string, headers: Record<string, string> = {}): Response {
  const all = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers };
  return new Response(text, { status, headers: all });
}
