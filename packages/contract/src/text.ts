import * as z from 'zod';
import { missingOrWrong } from './missing-or-wrong.ts';

// PostgreSQL cannot store NUL in text, and a lone surrogate has no UTF-8 form: neither could come back unchanged.
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');

/** Text that a database stores unchanged. Every text of a request body uses this schema instead of `z.string()`. */
export const text = (description: string) =>
  z
    .string({ error: missingOrWrong('must be a string') })
    .refine(isStorable, 'must not contain NUL or a lone surrogate')
    .meta({ description, pattern: '^[^\\u0000]*$' });
