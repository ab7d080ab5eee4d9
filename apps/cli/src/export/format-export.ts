import { Pet } from '@petstore/contract';
import { stringify } from 'csv-stringify/sync';
import type { FileFormat } from '../file-format.ts';
import { formatJson } from '../output/format-pets.ts';

const columns = Object.keys(Pet.shape);

/** Writes pets to a file. Integers stay exact. */
export interface ExportFormat {
  /** What stands before the first pet. */
  header: string;
  format(pets: readonly Pet[]): string;
}

export const exportFormats: Record<FileFormat, ExportFormat> = {
  ndjson: { header: '', format: (pets) => pets.map((pet) => `${formatJson(pet)}\n`).join('') },
  csv: {
    header: stringify([columns]),
    format: (pets) => stringify(pets.map(fieldsOf)),
  },
};

function fieldsOf(pet: Pet): string[] {
  const values = new Map<string, unknown>(Object.entries(pet));
  return columns.map((name) => String(values.get(name) ?? ''));
}
