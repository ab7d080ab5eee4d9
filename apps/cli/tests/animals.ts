import { createPetStore } from '@petstore/client';
import { Pet } from '@petstore/contract';
import { FIXED_KEY } from '@petstore/test-support/servers/server-process';

/** One line in this many is refused. */
const REFUSED_EVERY = 100;

/** Whether a line of the file is refused. */
export const isRefused = (line: number) => line % REFUSED_EVERY === 0;

/** A line of a file to import. Each pet has a name of its own. */
export const animal = (line: number): string =>
  isRefused(line)
    ? `{"name":"animal ${line}","status":"lost"}\n`
    : `{"name":"animal ${line}","categoryId":${2n ** 53n + BigInt(line)},"status":"available"}\n`;

/** A file of so many lines. */
export const animals = (count: number): string =>
  Array.from({ length: count }, (_, index) => animal(index + 1)).join('');

/** The lines of it that are refused. */
export const refusedLines = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index + 1).filter(isRefused);

/** The names that it adds, sorted. */
export const addedNames = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => index + 1)
    .filter((line) => !isRefused(line))
    .map((line) => `animal ${line}`)
    .toSorted();

/** The names of all pets of a service, sorted. */
export async function readNames(baseUrl: string): Promise<string[]> {
  const store = createPetStore({ baseUrl, apiKey: FIXED_KEY });
  const names: string[] = [];
  for await (const { name } of store.pets({ pageSize: 100 })) names.push(name);
  return names.toSorted();
}

/** The columns of a CSV file with pets. */
const columns = Object.keys(Pet.shape);

/** What an export writes of pets without commas, quotes and line breaks. */
export function csvOf(pets: readonly Pet[]): string {
  const rows = pets.map((pet) => {
    const values = new Map<string, unknown>(Object.entries(pet));
    return columns.map((name) => values.get(name) ?? '');
  });
  return [columns, ...rows].map((row) => `${row}\n`).join('');
}
