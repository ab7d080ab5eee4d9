import { type ErrorCode, errorCodes, statusOf } from '@petstore/contract';

export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, headers: Record<string, string> = {}) {
    super(`${errorCodes[code].description}.`);
    this.code = code;
    this.headers = headers;
  }
}

/** No cache may store the response unless `headers` allow it. */
export function json(status: number, text: string, headers: Record<string, string> = {}): Response {
  const all = { 'cache-control': 'no-store', ...headers, 'content-type': 'application/json' };
  return new Response(text, { status, headers: all });
}

export function errorResponse({ code, message, headers }: HttpError): Response {
  const status = statusOf(code);
  return json(status, JSON.stringify({ code, message, status }), headers);
}

/**
 * The response to a GET, which a cache may store and revalidate (RFC 9110, section 13).
 * @throws HttpError when If-Match names no current representation
 */
export async function cacheable(request: Request, text: string, link = ''): Promise<Response> {
  // A page with another next link is another representation.
  const etag = await entityTagOf(link + text);
  const ifMatch = request.headers.get('if-match');
  // If-Match compares strongly, If-None-Match weakly (RFC 9110, section 8.8.3.2).
  if (ifMatch !== null && !hasTag(ifMatch, etag)) throw new HttpError('precondition_failed');
  const ifNoneMatch = request.headers.get('if-none-match') ?? '';
  const isUnchanged = hasTag(ifNoneMatch.replaceAll('W/"', '"'), etag);
  const headers = { ...(link && { link }), etag, 'cache-control': 'private, no-cache' };
  return isUnchanged ? new Response(null, { status: 304, headers }) : json(200, text, headers);
}

export async function entityTagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `"${btoa(String.fromCharCode(...new Uint8Array(digest)))}"`;
}

export const hasTag = (header: string, etag: string) =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etag);
