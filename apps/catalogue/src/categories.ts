import { readFileSync } from 'node:fs';
import type { Pet } from '@petstore/client';
import { parseInt64 } from '@petstore/contract';
import { z } from 'zod';

/** The names of the categories by their numbers in digits, in the order of the names. Empty where none are given. */
export type Categories = ReadonlyMap<string, string>;

export const categoryName = (categories: Categories, number: Pet['categoryId']): string | undefined =>
  categories.get(String(number));

const Names = z.record(
  z.string().refine((digits) => parseInt64(digits) !== undefined),
  z.string().trim().min(1),
);

/** The path of a JSON file with an object from numbers to names, read into them. */
export const CategoriesFile = z.string().transform((file, context): Categories => {
  try {
    // Ignores a byte order mark, which JSON.parse does not.
    const text = new TextDecoder().decode(readFileSync(file));
    const names = Object.entries(Names.parse(JSON.parse(text)));
    return new Map(names.sort(([, one], [, other]) => one.localeCompare(other, 'en')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? '' : ` (${String(error).replaceAll(/\s+/g, ' ')})`;
    context.addIssue(`${file} must be JSON with a name for each number, such as {"7": "Dogs"}${reason}`);
    return z.NEVER;
  }
});
