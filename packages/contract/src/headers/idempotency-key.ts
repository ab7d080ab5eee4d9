import * as z from 'zod';

/**
 * A quoted key, in which a backslash precedes each quote and backslash, or a bare key that does not begin with a quote.
 * Tools read this pattern from the OpenAPI document, so it keeps to the syntax that JSON Schema recommends. In some
 * engines a bare quote begins a literal, hence `["]`, and a `[` in a class begins a nested class, hence `\[` outside.
 */
const HEADER = /^(["]([!#-Z\]-~]|\[|\\["\\]){1,255}["]|[!#-~][!-~]{0,254})$/;

/**
 * Parses the value of an Idempotency-Key header (IETF draft): a quoted structured-field string (RFC 9651), or the same
 * characters bare. Both notations of a key are the same key.
 * @returns the key, 1 to 255 visible ASCII characters, or `undefined` for any other value
 */
export function parseIdempotencyKey(header: string): string | undefined {
  if (!HEADER.test(header)) return undefined;
  return header.startsWith('"') ? header.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : header;
}

/** The value of an Idempotency-Key header: a key in one of its two notations. */
export const IdempotencyKey = z.string().regex(HEADER, 'must be 1 to 255 visible ASCII characters');

export const IdempotencyKeyHeader = IdempotencyKey.optional().meta({
  param: {
    description:
      'Makes repeating the request safe: the same key with the same body gives the first response again for ' +
      'at least 24 hours. A UUID for example, bare or as a quoted structured-field string',
    // No example: a documentation page would send the same key for every pet.
  },
});
