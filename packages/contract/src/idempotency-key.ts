import { z } from 'zod';

/** Quoted or bare. What begins with a quote is a quoted key or none. */
const FIELD = /^(?:"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"|([\x21\x23-\x7e][\x21-\x7e]{0,254}))$/;

/**
 * Reads an Idempotency-Key field value (IETF draft): a quoted structured-field string (RFC 9651), or the
 * same characters bare. Both notations of a key are the same key.
 *
 * @returns the key, 1 to 255 visible ASCII characters, or `undefined` when the value is no such key.
 */
export function parseIdempotencyKey(field: string): string | undefined {
  const [, quoted, bare] = FIELD.exec(field) ?? [];
  return bare ?? quoted?.replaceAll(/\\(["\\])/g, '$1');
}

/** The Idempotency-Key request header. */
export const IdempotencyKey = z.string().regex(FIELD, 'must be 1 to 255 visible ASCII characters');
