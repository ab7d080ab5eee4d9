import { styleText } from 'node:util';
import { Pet, PetStatus } from '@petstore/contract';
import stringWidth from 'string-width';
import { escapeControls } from '../terminal.ts';

export const columns = Pet.keyof().options;

const SEPARATOR = '  ';
/** In a pipe, a longer cell shifts its own line only. */
const MAX_WIDTH_IN_PIPE = 40;
const MIN_WIDTH = 4;

const statusColors = {
  available: 'green',
  pending: 'yellow',
  sold: 'gray',
} as const satisfies Record<PetStatus, string>;

const isText = columns.map((name) => Pet.shape[name].safeParse('any text').success);

/** Creates a formatter of pages. The table fits a terminal: texts are cut, integers are not. */
export function createTable(): (pets: readonly Pet[]) => string {
  // A terminal of unknown size has 0 columns.
  const terminalWidth = process.stdout.columns || undefined;
  const maxWidth = terminalWidth ?? MAX_WIDTH_IN_PIPE;
  const widths = columns.map((name) => name.length);
  let header: string[][] = [[...columns]];

  return (pets) => {
    const rows = [
      ...header,
      ...pets.map((pet) => columns.map((name) => escapeControls(String(pet[name] ?? '')))),
    ];
    header = [];
    for (const row of rows) {
      for (const [column, cell] of row.entries()) {
        widths[column] = Math.max(widths[column] ?? 0, Math.min(maxWidth, stringWidth(cell)));
      }
    }
    if (terminalWidth !== undefined) shrinkTexts(widths, terminalWidth);
    const cut = terminalWidth === undefined ? (text: string) => text : cutText;
    return rows.map((row) => `${formatRow(row, widths, cut)}\n`).join('');
  };
}

function shrinkTexts(widths: number[], available: number): void {
  for (const [column, width] of widths.entries()) {
    const total = widths.reduce((sum, each) => sum + each, SEPARATOR.length * (widths.length - 1));
    if (isText[column] && total > available)
      widths[column] = Math.max(MIN_WIDTH, width - (total - available));
  }
}

function cutText(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let beginning = '';
  let beginningWidth = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    beginningWidth += stringWidth(segment);
    if (beginningWidth >= width) break;
    beginning += segment;
  }
  return `${beginning}…`;
}

function formatRow(
  row: readonly string[],
  widths: readonly number[],
  cut: (text: string, width: number) => string,
): string {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0;
    const shown = isText[column] ? cut(cell, width) : cell;
    const { data: status } = columns[column] === 'status' ? PetStatus.safeParse(cell) : {};
    const colored = status === undefined ? shown : styleText(statusColors[status], shown);
    return colored + ' '.repeat(Math.max(0, width - stringWidth(shown)));
  });
  return cells.join(SEPARATOR).trimEnd();
}
