import * as z from 'zod';
import { Int64, parseInt64 } from '../json/int64.ts';

/**
 * Reads a parameter that a caller passes as a value and a server receives as text, or as an array where it was sent
 * several times. `Value` is the type that a caller sees, which is why it mentions neither.
 */
export const fromText =
  <Value>(read: (text: string) => unknown) =>
  (value: Value, { addIssue }: z.RefinementCtx): unknown => {
    if (Array.isArray(value)) addIssue('must be given once');
    return typeof value === 'string' ? read(value) : value;
  };

/** Reads digits as a number, and leaves other text as it is. */
export const fromDigits = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : text);

/** An id in a path. */
export const idParameter = (description: string) =>
  z.preprocess(fromText<Int64>(parseInt64), Int64).meta({
    override: { type: 'integer', format: 'int64' },
    param: { description, example: 1 },
  });
