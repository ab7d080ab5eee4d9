import { Pet } from '@petstore/contract';
import stringWidth from 'string-width';
import { escapeControls } from '../terminal.ts';

export const columns = Object.keys(Pet.shape);
/** A longer cell shifts its own line only. */
const MAX_WIDTH = 40;

export function createTable(): (pets: readonly Pet[]) => string {
  const widths = columns.map((name) => name.length);
  let header = [columns];

  return (pets) => {
    const rows = [...header, ...pets.map((pet) => readFields(pet).map(escapeControls))];
    header = [];
    for (const row of rows) {
      for (const [column, cell] of row.entries()) {
        widths[column] = Math.max(widths[column] ?? 0, Math.min(MAX_WIDTH, stringWidth(cell)));
      }
    }
    return rows.map((row) => `${formatRow(row, widths)}\n`).join('');
  };
}

/** The values of a pet in the order of the columns. */
export function readFields(pet: Pet): string[] {
  const values = new Map<string, unknown>(Object.entries(pet));
  return columns.map((name) => String(values.get(name) ?? ''));
}

function formatRow(row: readonly string[], widths: readonly number[]): string {
  const padded = row.map((cell, column) => {
    return cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
  });
  return padded.join('  ').trimEnd();
}
