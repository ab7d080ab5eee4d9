import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { stringifyJson } from '@petstore/contract';
import type { Response } from 'express';
import { endInBatch, endInPieces, LARGE_BYTES } from './end-response.ts';
import { HttpError } from './http-error.ts';
import { contextOf } from './request-context.ts';

/**
 * What stands in place of Express's `res.json`, which throws for an integer beyond 2^53 - 1. A successful read has an entity
 * tag.
 *
 * @throws HttpError `precondition_failed`
 */
export function sendValue(this: Response, value?: unknown): Response {
  const json = stringifyJson(value);
  const isRead = this.req.method === 'GET' || this.req.method === 'HEAD';
  if (!isRead || this.statusCode !== 200) return sendJson(this, json);
  const link = this.get('Link');
  const etag = entityTagOf(json, link);
  if (Array.isArray(value)) contextOf(this).keepList?.({ json, etag, link });
  return sendTagged(this, json, etag);
}

/**
 * Sends a JSON text that private caches may store and must revalidate by its entity tag (RFC 9111, 5.2.2), or 304 when the
 * caller has it already. Express's `req.fresh` knows no If-Match, and ignores If-None-Match beside the
 * `Cache-Control: no-cache` that every fetch adds to a conditional request.
 *
 * @throws HttpError `precondition_failed`
 */
export function sendTagged(res: Response, json: string | Buffer, etag: string): Response {
  // Not those that a contract has parsed.
  const headers: IncomingHttpHeaders = res.req.headers;
  if (headers['if-match'] !== undefined && !matchesEntityTag(headers['if-match'], etag)) {
    throw new HttpError('precondition_failed');
  }
  res.set('Cache-Control', 'private, no-cache').set('ETag', etag);
  if (!namesEntityTag(headers['if-none-match'], etag)) return sendJson(res, json);
  endInBatch(res.status(304), undefined);
  return res;
}

/** Sends a JSON text: the only place that writes a response of an operation, an error or a probe. */
export function sendJson(res: Response, json: string | Buffer): Response {
  const { connection } = contextOf(res);
  const isLongText = typeof json === 'string' && json.length > LARGE_BYTES;
  // A body is cut into pieces as bytes.
  const body = isLongText ? Buffer.from(json) : json;
  // Express's own `set` would add a charset, which JSON does not have (RFC 8259, 11).
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  if (connection.isLast(res.req)) res.setHeader('Connection', 'close');
  // A buffer is shared by all responses that carry it.
  if (typeof json === 'string') connection.hold(json.length);
  if (Buffer.isBuffer(body) && body.length > LARGE_BYTES && res.req.method !== 'HEAD') endInPieces(res, body);
  else endInBatch(res, body);
  return res;
}

/**
 * The entity tag of a body (RFC 9110, 8.8.3).
 *
 * @param link belongs to it: a page whose next link appears has changed, though what it lists has not
 */
export const entityTagOf = (body: string | Buffer, link = '') =>
  `"${hash('sha1', link === '' ? body : body + link, 'base64url')}"`;

const ENTITY_TAGS = /(W\/)?("[^"]*")/g;

/** Whether If-None-Match names an entity tag, by weak comparison (RFC 9110, 13.1.2). */
export function namesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return Array.from(header.matchAll(ENTITY_TAGS)).some(([, , tag]) => tag === etag);
}

/** Whether If-Match names an entity tag, by strong comparison (RFC 9110, 13.1.1): a weak tag never does. */
export function matchesEntityTag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  return Array.from(header.matchAll(ENTITY_TAGS)).some(([, weak, tag]) => weak === undefined && tag === etag);
}
