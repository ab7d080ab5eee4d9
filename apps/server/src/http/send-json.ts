import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ErrorBody, stringifyJson } from '@petstore/contract';
import type { Response } from 'express';
import { endInBatch, endInPieces, LARGE_BYTES } from './end-response.ts';
import { HttpError } from './http-error.ts';
import { contextOf } from './request-context.ts';

/**
 * Replaces Express's `res.json`, which throws for an integer beyond 2^53 - 1. A successful read gets an entity tag.
 * @throws HttpError `precondition_failed`
 */
export function sendValue(this: Response, value?: unknown): Response {
  if (this.statusCode >= 400) return sendError(this, ErrorBody.parse(value));
  const json = stringifyJson(value);
  const isRead = this.req.method === 'GET' || this.req.method === 'HEAD';
  if (!isRead || this.statusCode !== 200) return sendJson(this, json);
  // Only the link to the next page: the response may also have links about a deprecation.
  const { Link: link } = contextOf(this).handlerHeaders;
  const etag = entityTagOf(json, link);
  if (Array.isArray(value)) contextOf(this).keepList?.({ json, etag, link });
  return sendTagged(this, json, etag);
}

/** Sends an Error body. Removes the headers that a handler has set for its success. */
export function sendError(
  res: Response,
  { code, message, status }: ErrorBody,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const context = contextOf(res);
  context.error = code;
  for (const name of Object.keys(context.handlerHeaders)) res.removeHeader(name);
  if (status === 503) res.set('Retry-After', '1');
  res.status(status).set(context.operationHeaders).set('Cache-Control', 'no-store').set(headers);
  return sendJson(res, JSON.stringify({ code, message, status }));
}

/**
 * Sends a JSON text with an entity tag, or 304 when the caller has it already. Private caches may store it and must
 * revalidate it (RFC 9111, 5.2.2). Express's `req.fresh` does not know If-Match, and ignores If-None-Match beside the
 * `Cache-Control: no-cache` that every fetch adds to a conditional request.
 * @throws HttpError `precondition_failed`
 */
export function sendTagged(res: Response, json: string | Buffer, etag: string): Response {
  // The raw headers: ts-rest replaces `req.headers` with the parsed ones.
  const headers: IncomingHttpHeaders = res.req.headers;
  if (headers['if-match'] !== undefined && !matchesEntityTag(headers['if-match'], etag)) {
    throw new HttpError('precondition_failed');
  }
  res.set('Cache-Control', 'private, no-cache').set('ETag', etag);
  if (!namesEntityTag(headers['if-none-match'], etag)) return sendJson(res, json);
  contextOf(res).connection.announceEnd(res);
  endInBatch(res.status(304), undefined);
  return res;
}

/** Sends a JSON text as the body of a response. A large one is sent in pieces. */
export function sendJson(res: Response, json: string | Buffer): Response {
  const isLongText = typeof json === 'string' && json.length > LARGE_BYTES;
  const body = isLongText ? Buffer.from(json) : json;
  // Express's own `set` would add a charset, which JSON does not have (RFC 8259, 11).
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  const { connection } = contextOf(res);
  connection.announceEnd(res);
  // Only a string takes memory for each response: all responses share the buffer of a document.
  if (typeof json === 'string') connection.hold(json.length);
  if (Buffer.isBuffer(body) && body.length > LARGE_BYTES && res.req.method !== 'HEAD') endInPieces(res, body);
  else endInBatch(res, body);
  return res;
}

/** The entity tag of a body and its next link (RFC 9110, 8.8.3): a page that gets a next link has changed. */
export const entityTagOf = (body: string | Buffer, link = '') =>
  `"${hash('sha1', link === '' ? body : body + link, 'base64url')}"`;

const ENTITY_TAGS = /(W\/)?("[^"]*")/g;

/** Whether If-None-Match names an entity tag, by weak comparison (RFC 9110, 13.1.2). */
export function namesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return Array.from(header.matchAll(ENTITY_TAGS)).some(([, , tag]) => tag === etag);
}

/** Whether If-Match names an entity tag, by strong comparison (RFC 9110, 13.1.1): a weak tag never matches. */
export function matchesEntityTag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  return Array.from(header.matchAll(ENTITY_TAGS)).some(([, weak, tag]) => weak === undefined && tag === etag);
}
