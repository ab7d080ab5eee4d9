import { Pet } from '@petstore/contract';
import { stringify } from 'csv-stringify/sync';
import type { FileFormat } from '../file-format.ts';
import { formatJson } from '../output/format-pets.ts';
import { escapeControls } from '../terminal.ts';

const columns = Object.keys(Pet.shape);

/** Writes pets to a file. Integers stay exact. */
export interface ExportFormat {
  /** What stands before the first pet. */
  header: string;
  /** @param isForTerminal shows what a terminal would obey, in place of writing it as it is */
  format(pets: readonly Pet[], isForTerminal?: boolean): string;
}

export const exportFormats: Record<FileFormat, ExportFormat> = {
  ndjson: { header: '', format: (pets) => pets.map((pet) => `${formatJson(pet)}\n`).join('') },
  csv: {
    header: stringify([columns]),
    format: (pets, isForTerminal) => {
      const rows = pets.map(fieldsOf);
      return stringify(isForTerminal ? rows.map((row) => row.map(escapeControls)) : rows);
    },
  },
};

function fieldsOf(pet: Pet): string[] {
  const values = new Map<string, unknown>(Object.entries(pet));
  return columns.map((name) => String(values.get(name) ?? ''));
}
