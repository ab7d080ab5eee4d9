import { readFileSync } from 'node:fs';
import { parseInt64 } from '@petstore/contract';
import { z } from 'zod';
import { trimBlankStart } from './blank.ts';

/** The names of categories by their numbers in digits, sorted by name. Empty without a CATEGORIES_FILE. */
export type Categories = ReadonlyMap<string, string>;

const Names = z.record(
  z.string().refine((digits) => parseInt64(digits) !== undefined),
  z
    .string()
    .trim()
    .refine((name) => trimBlankStart(name) !== ''),
);

export const CategoriesFile = z.string().transform((file, context): Categories => {
  try {
    // TextDecoder removes a byte order mark, which JSON.parse refuses.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
    const names = Object.entries(Names.parse(JSON.parse(text)));
    return new Map(names.sort(([, one], [, other]) => one.localeCompare(other, 'en')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? '' : ` (${String(error).replaceAll(/\s+/g, ' ')})`;
    context.addIssue(`${file} must be JSON with a name for each number, such as {"7": "Dogs"}${reason}`);
    return z.NEVER;
  }
});
