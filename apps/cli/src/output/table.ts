import { Pet } from '@petstore/contract';
import stringWidth from 'string-width';
import { escapeControls } from '../terminal.ts';

const columns = Object.keys(Pet.shape);
/** A longer cell shifts its own line only. */
const MAX_WIDTH = 40;

/** Formats pets as a table. Its columns are the properties of the contract. */
export function createTable(): (pets: readonly Pet[]) => string {
  const widths = columns.map((name) => name.length);
  let header = [columns];

  return (pets) => {
    const rows = [...header, ...pets.map(readCells)];
    header = [];
    for (const row of rows) {
      for (const [column, cell] of row.entries()) {
        widths[column] = Math.max(widths[column] ?? 0, Math.min(MAX_WIDTH, stringWidth(cell)));
      }
    }
    return rows.map((row) => `${formatRow(row, widths)}\n`).join('');
  };
}

function readCells(pet: Pet): string[] {
  const values = new Map<string, unknown>(Object.entries(pet));
  return columns.map((name) => escapeControls(String(values.get(name) ?? '')));
}

function formatRow(row: readonly string[], widths: readonly number[]): string {
  const padded = row.map((cell, column) => {
    return cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
  });
  return padded.join('  ').trimEnd();
}
