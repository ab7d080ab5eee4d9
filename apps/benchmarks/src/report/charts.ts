import { escapeXml } from './svg.ts';

/** A table of a Markdown document whose first heading names it. Its other columns are figures. */
export interface NamedTable {
  name: string;
  columns: readonly string[];
  rows: readonly { name: string; figures: readonly string[] }[];
}

/** The tables of a document whose first heading is not empty. */
export function readTables(markdown: string): NamedTable[] {
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  return Array.from(markdown.matchAll(/(?:^\|.*\|\n)+/gm), ([table]) => {
    const [headings = [], , ...rows] = table.trim().split('\n').map(cellsOf);
    const [name = '', ...columns] = headings;
    return { name, columns, rows: rows.map(([server = '', ...figures]) => ({ name: server, figures })) };
  }).filter(({ name }) => name !== '');
}

const WIDTH = 860;
const PADDING = 16;
const LABEL = 380;
const ROW = 20;
const BAR = 14;
const HEADING = 34;

/**
 * Draws a table as an SVG picture: for each column a bar for each row. The bars of a column have one scale, for the
 * figures of different columns are not to be compared. The first row is ours.
 */
export function drawChart({ name, columns, rows }: NamedTable): string {
  const height = 2 * PADDING + columns.length * (HEADING + rows.length * ROW);
  const groups = columns.map((column, index) => {
    const top = PADDING + index * (HEADING + rows.length * ROW);
    const values = rows.map(({ figures }) => Number(figures[index]?.replaceAll(',', '')));
    const longest = Math.max(...values);
    const bars = rows.map((row, line) => {
      const y = top + HEADING + line * ROW;
      const width = Math.round(((values[line] ?? 0) / longest) * (WIDTH - LABEL - 5 * PADDING));
      const text = y + BAR - 3;
      return [
        `<text x="${LABEL - 8}" y="${text}" text-anchor="end">${escapeXml(row.name)}</text>`,
        `<rect x="${LABEL}" y="${y}" width="${width}" height="${BAR}" fill="${line === 0 ? '#1f6feb' : '#9aa4b2'}"/>`,
        `<text x="${LABEL + width + 6}" y="${text}">${escapeXml(row.figures[index] ?? '')}</text>`,
      ].join('');
    });
    return [
      `<text x="${PADDING}" y="${top + HEADING - 10}" font-weight="bold">${escapeXml(column)}</text>`,
      ...bars,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeXml(name)}" font-family="system-ui, sans-serif" font-size="13" fill="#24292f">`,
    `<rect width="${WIDTH}" height="${height}" rx="6" fill="#ffffff"/>`,
    ...groups.flat(),
    '</svg>\n',
  ].join('\n');
}

/** The file of a chart, in the folder of the document. */
export const chartFile = ({ name }: NamedTable): string => `images/${name.replaceAll(/\W+/g, '-')}.svg`;
