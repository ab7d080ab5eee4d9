import { Pet } from '@petstore/contract';
import stringWidth from 'string-width';
import { columnsOf, escapeControls, style, truncate } from '../terminal.ts';

const properties = Object.keys(Pet.shape);
const GAP = '  ';
/** Below this a name says nothing any more, and the lines wrap instead. */
const MIN_NAME_WIDTH = 8;

const statusColours = new Map<string, 'green' | 'yellow' | 'gray'>([
  ['available', 'green'],
  ['pending', 'yellow'],
  ['sold', 'gray'],
]);

/** Formats pets as a table that fits the terminal. Its columns are the properties of the contract. */
export function createTable(stream: NodeJS.WriteStream = process.stdout) {
  let widths = properties.map((name) => name.length);
  let hasHeader = false;

  return (pets: readonly Pet[]): string => {
    const rows = pets.map(cellsOf);
    widths = widths.map((width, column) =>
      Math.max(width, ...rows.map((row) => stringWidth(row[column] ?? ''))),
    );
    widths = shrinkName(widths, columnsOf(stream));
    const lines = rows.map((row) => formatRow(row, widths, stream));
    if (!hasHeader) lines.unshift(style('bold', formatLine(properties, widths), stream));
    hasHeader = true;
    return lines.map((line) => `${line}\n`).join('');
  };
}

function cellsOf(pet: Pet): string[] {
  const values = new Map<string, unknown>(Object.entries(pet));
  return properties.map((name) => escapeControls(String(values.get(name) ?? '')));
}

/** Names are the only cells that can be long. */
function shrinkName(widths: readonly number[], columns: number): number[] {
  const excess = widths.reduce((sum, width) => sum + width, (widths.length - 1) * GAP.length) - columns;
  return widths.map((width, column) =>
    properties[column] === 'name' && excess > 0 ? Math.max(MIN_NAME_WIDTH, width - excess) : width,
  );
}

function formatRow(row: readonly string[], widths: readonly number[], stream: NodeJS.WriteStream): string {
  return formatLine(row, widths, (text, column) => {
    const colour = properties[column] === 'status' ? statusColours.get(text) : undefined;
    return colour ? style(colour, text, stream) : text;
  });
}

function formatLine(
  cells: readonly string[],
  widths: readonly number[],
  paint = (text: string, _column: number): string => text,
): string {
  const padded = cells.map((cell, column) => {
    const width = widths[column] ?? 0;
    const text = truncate(cell, width);
    return paint(text, column) + ' '.repeat(Math.max(0, width - stringWidth(text)));
  });
  return padded.join(GAP).trimEnd();
}
