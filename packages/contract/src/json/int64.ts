import * as z from 'zod';
import { missingOrWrong } from '../missing-or-wrong.ts';

export const int64Bounds = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n } as const;

const CANONICAL_INTEGER = /^(?:0|-?[1-9]\d{0,18})$/;

/**
 * A 64-bit signed integer, which is a JSON number on the wire. A safe integer is a `number`, any other a `bigint`, so
 * that each value has one form and nothing is rounded.
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
