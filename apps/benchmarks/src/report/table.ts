/** A table as it is printed: the first column is text, the others are figures. */
export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Writes a table in Markdown, with its columns aligned so that it reads well in a terminal too. */
export function formatTable({ title, columns, rows }: Table): string {
  const widths = columns.map((_, column) =>
    Math.max(...[columns, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(width(column)) : cell.padStart(width(column)))).join(' | ')} |`;
  const width = (column: number) => widths[column] ?? 0;
  const rule = widths.map((size, column) => (column === 0 ? '-'.repeat(size) : `${'-'.repeat(size - 1)}:`));
  return [`## ${title}`, '', line(columns), line(rule), ...rows.map(line)].join('\n');
}

const integers = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export const formatCount = (value: number): string => integers.format(value);
export const formatRatio = (value: number): string => `${value.toFixed(2)}×`;
export const formatPercent = (value: number): string => `${Math.round(100 * value)} %`;
export const formatMs = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
