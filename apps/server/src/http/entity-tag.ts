import { hash } from 'node:crypto';

/**
 * The entity tag of a body (RFC 9110, 8.8.3).
 *
 * @param link belongs to it: a page whose next link appears has changed, though its animals have not
 */
export const entityTagOf = (body: string, link = '') => `"${hash('sha1', body + link, 'base64url')}"`;

const ENTITY_TAGS = /(?:W\/)?("[^"]*")/g;

/**
 * Whether If-None-Match names an entity tag, by weak comparison (RFC 9110, 13.1.2). Unlike Express's
 * `req.fresh`, this holds also with the `Cache-Control: no-cache` that every fetch adds to a conditional
 * request.
 */
export function namesEntityTag(field: string | undefined, etag: string): boolean {
  if (field === undefined) return false;
  if (field.trim() === '*') return true;
  return Array.from(field.matchAll(ENTITY_TAGS)).some(([, tag]) => tag === etag);
}
