import { readFileSync } from 'node:fs';
import type { Pet } from '@petstore/client';
import { parseInt64 } from '@petstore/contract';
import { z } from 'zod';

/** The names of the categories by their numbers in digits, in the order of the names. Empty where none are given. */
export type Categories = ReadonlyMap<string, string>;

export const categoryName = (categories: Categories, number: Pet['categoryId']): string | undefined =>
  categories.get(String(number));

/** The path of a JSON file with an object from numbers to names, read into them. */
export const CategoriesFile = z.string().transform((file, context): Categories => {
  try {
    // Refuses what is not UTF-8, and ignores a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
    return parseCategories(JSON.parse(text));
  } catch (error) {
    // JSON.parse quotes the file in its message, line ends included.
    const message = `${error instanceof Error ? error.message : error}`.replaceAll(/\s+/g, ' ');
    context.addIssue(`${file}: ${message}`);
    return z.NEVER;
  }
});

function parseCategories(value: unknown): Categories {
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    Object.keys(value).length === 0
  ) {
    throw new TypeError('must be a JSON object with a name for each number, such as {"7": "Dogs"}');
  }
  const numbers = new Map<string, string>();
  for (const [number, name] of Object.entries(value)) {
    if (parseInt64(number) === undefined) {
      throw new TypeError(`"${number}" must be the number of a category, such as "7"`);
    }
    if (typeof name !== 'string' || name.trim() === '') {
      throw new TypeError(`the name of category ${number} must be a text that is not empty`);
    }
    const namesake = numbers.get(name);
    // A user could not tell them apart.
    if (namesake !== undefined)
      throw new TypeError(`categories ${namesake} and ${number} have the same name`);
    numbers.set(name, number);
  }
  const byName = [...numbers].sort(([one], [other]) => one.localeCompare(other, 'en'));
  return new Map(byName.map(([name, number]) => [number, name]));
}
