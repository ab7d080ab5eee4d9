import { type Pet, stringifyJson } from '@petstore/contract';
import { escapeControls } from '../terminal.ts';
import { createTable } from './table.ts';

export const formats = ['table', 'ndjson'] as const;

/**
 * Creates the formatter of the options, by default a table on a terminal and lines of JSON elsewhere. It is called with
 * each page. Integers stay exact.
 */
export function createPetFormatter(options: { format?: (typeof formats)[number] | undefined }) {
  const format = options.format ?? (process.stdout.isTTY ? 'table' : 'ndjson');
  return format === 'table' ? createTable() : formatJson;
}

/** A line of JSON for each pet, in which control characters are escaped: a terminal would obey them. */
export const formatJson = (pets: readonly Pet[]): string =>
  pets.map((pet) => `${escapeControls(stringifyJson(pet))}\n`).join('');
