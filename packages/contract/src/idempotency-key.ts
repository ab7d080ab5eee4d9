import { z } from 'zod';

const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/**
 * Reads an Idempotency-Key field value (IETF draft): a quoted structured-field string (RFC 9651), or the
 * same characters bare. Both notations of a key are the same key.
 *
 * @returns the key, 1 to 255 visible ASCII characters, or `undefined` when the value is no such key.
 */
export function parseIdempotencyKey(field: string): string | undefined {
  const [, quoted] = QUOTED.exec(field) ?? [];
  const key = quoted === undefined ? field : quoted.replaceAll(/\\(["\\])/g, '$1');
  if (quoted === undefined && field.startsWith('"')) return undefined;
  return VISIBLE.test(key) ? key : undefined;
}

/** The Idempotency-Key request header: makes a repeated createPet safe. */
export const IdempotencyKey = z
  .string()
  .refine((field) => parseIdempotencyKey(field) !== undefined, 'must be 1 to 255 visible ASCII characters')
  .meta({
    description:
      'Makes repeating the request safe: the same key with the same body gives the first answer again for ' +
      'at least 24 hours. Bare, or a quoted structured-field string.',
    example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
    override: { minLength: 1, maxLength: 257, pattern: '^[\\x21-\\x7e]+$' },
  });
