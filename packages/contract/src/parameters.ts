import * as z from 'zod';
import { Int64, parseInt64 } from './json/int64.ts';

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

export const idParameter = (description: string) =>
  z.preprocess(readParameter<Int64>(parseInt64), Int64).meta({
    override: { type: 'integer', format: 'int64' },
    param: { description, example: 1 },
  });
