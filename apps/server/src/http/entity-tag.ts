import { hash } from 'node:crypto';

/**
 * The entity tag of a body (RFC 9110, 8.8.3).
 *
 * @param link belongs to it: a page whose next link appears has changed, though its pets have not
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
