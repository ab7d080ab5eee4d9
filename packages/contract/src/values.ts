import * as z from 'zod';

/** Creates a schema's error, which is shown after the property's name: `is required` for a missing value. */
export const missingOrWrong =
  (text: string) =>
  ({ input }: { input?: unknown }): string =>
    input === undefined ? 'is required' : text;

export const int64Bounds = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n } as const;

const CANONICAL_INTEGER = /^(?:0|-?[1-9]\d{0,18})$/;

/**
 * A 64-bit signed integer, which is a JSON number on the wire. Our parsers return a `number` for a safe integer and a
 * `bigint` for any other, so nothing is rounded. A caller may also pass a safe integer as a `bigint`.
 */
export type Int64 = number | bigint;

const isInt64 = (value: unknown): boolean =>
  typeof value === 'bigint'
    ? value >= int64Bounds.minimum && value <= int64Bounds.maximum
    : Number.isSafeInteger(value);

export const Int64 = z
  .custom<Int64>(isInt64, { error: missingOrWrong('must be an integer from -2^63 to 2^63 - 1') })
  .meta({
    description: '64-bit signed integer. It can exceed 2^53 - 1: parse it without rounding.',
    override: { type: 'integer', format: 'int64' },
  });

/**
 * Parses the canonical decimal notation of an int64 (no plus sign, no leading zeros), as in a path.
 * @returns the value, or `undefined` when the text is no such integer
 */
export function parseInt64(text: string): Int64 | undefined {
  if (!CANONICAL_INTEGER.test(text)) return undefined;
  const number = Number(text);
  const value = Number.isSafeInteger(number) ? number : BigInt(text);
  return isInt64(value) ? value : undefined;
}

// PostgreSQL cannot store NUL in text, and a lone surrogate has no UTF-8 form: neither could come back unchanged.
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');

/** Text that a database stores unchanged. Every text of a request body uses this schema instead of `z.string()`. */
export const text = (description: string) =>
  z
    .string({ error: missingOrWrong('must be a string') })
    .refine(isStorable, 'must not contain NUL or a lone surrogate')
    .meta({ description, pattern: '^[^\\u0000]*$' });

/**
 * Creates the first argument of `z.preprocess` for a parameter. A client passes a `Value`. A server receives text, or
 * an array if the parameter was sent twice.
 * @param parse reads the text; by default the text stays as it is
 */
export const readParameter =
  <Value>(parse: (text: string) => unknown = (text) => text) =>
  (value: Value, { addIssue }: z.RefinementCtx): unknown => {
    if (Array.isArray(value)) addIssue('must be given once');
    return typeof value === 'string' ? parse(value) : value;
  };

/** Parses digits as a number, and leaves other text as it is. */
export const parseDigits = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : text);

/** Leaves other text as it is: `undefined` would be reported as a missing value. */
const readInt64 = (text: string) => parseInt64(text) ?? text;

export const idParameter = (description: string) =>
  z.preprocess(readParameter<Int64>(readInt64), Int64).meta({
    override: { type: 'integer', format: 'int64' },
    param: { description, example: 1 },
  });
