import { type Pet, stringifyJson } from '@petstore/contract';
import { escapeControls } from '../terminal.ts';
import { createTable } from './table.ts';

export const formats = ['table', 'json', 'ndjson'] as const;
type Format = (typeof formats)[number];

interface PetFormatter {
  format(pets: readonly Pet[]): string;
  end(): string;
}

/** Chooses the format of the options; by default a table on a terminal, lines of JSON elsewhere. */
export function chooseFormat(options: { json?: boolean | undefined; format?: Format | undefined }): Format {
  if (options.json) return 'json';
  return options.format ?? (process.stdout.isTTY ? 'table' : 'ndjson');
}

/** One line of JSON, in which control characters are escaped: a terminal would obey them. */
export const formatJson = (pet: Pet): string => escapeControls(stringifyJson(pet));

/** Creates a formatter of a list. Integers stay exact in every format. */
export function createPetFormatter(format: Format): PetFormatter {
  if (format === 'table') return { format: createTable(), end: () => '' };
  if (format === 'ndjson')
    return { format: (pets) => pets.map((pet) => `${formatJson(pet)}\n`).join(''), end: () => '' };
  let separator = '[';
  return {
    format: (pets) => {
      const texts = pets.map((pet) => {
        const text = `${separator}\n  ${formatJson(pet)}`;
        separator = ',';
        return text;
      });
      return texts.join('');
    },
    end: () => (separator === '[' ? '[]\n' : '\n]\n'),
  };
}

/** Formats one pet; its JSON is an object, not a list. */
export function formatPet(pet: Pet, format: Format): string {
  return createPetFormatter(format === 'json' ? 'ndjson' : format).format([pet]);
}
