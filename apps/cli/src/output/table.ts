import { styleText } from 'node:util';
import { Pet, PetStatus } from '@petstore/contract';
import stringWidth from 'string-width';
import { escapeControls } from '../terminal.ts';

export const columns = Pet.keyof().options;

const SEPARATOR = '  ';
/** In a pipe, a longer cell shifts its own line only. */
const MAX_WIDTH_IN_PIPE = 40;
/** The least width of a text that is cut: three characters and the ellipsis. */
const MIN_WIDTH = 4;

const statusColors = {
  available: 'green',
  pending: 'yellow',
  sold: 'gray',
} as const satisfies Record<PetStatus, string>;

/** Only these columns are cut to fit a terminal. Integers and statuses stay whole. */
const textColumns = new Set(columns.filter((name) => Pet.shape[name].safeParse('any text').success));

/** Creates a formatter of pages. The first page begins with the header. */
export function createTable(): (pets: readonly Pet[]) => string {
  // A terminal of unknown size has 0 columns.
  const terminalWidth = process.stdout.columns || undefined;
  const maxWidth = terminalWidth ?? MAX_WIDTH_IN_PIPE;
  const widths = columns.map((name) => name.length);
  let isFirstPage = true;

  return (pets) => {
    const rows = pets.map((pet) => columns.map((name) => escapeControls(String(pet[name] ?? ''))));
    if (isFirstPage) rows.unshift([...columns]);
    isFirstPage = false;
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
  for (const [column, name] of columns.entries()) {
    const width = widths[column] ?? 0;
    const total = widths.reduce((sum, each) => sum + each, SEPARATOR.length * (widths.length - 1));
    if (textColumns.has(name) && total > available)
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

function formatRow(row: readonly string[], widths: readonly number[], cut: typeof cutText): string {
  const cells = columns.map((name, column) => {
    const cell = row[column] ?? '';
    const width = widths[column] ?? 0;
    const shown = textColumns.has(name) ? cut(cell, width) : cell;
    const colored = name === 'status' ? colorStatus(shown) : shown;
    return colored + ' '.repeat(Math.max(0, width - stringWidth(shown)));
  });
  return cells.join(SEPARATOR).trimEnd();
}

/** Leaves the header as it is. */
function colorStatus(cell: string): string {
  const { data: status } = PetStatus.safeParse(cell);
  return status === undefined ? cell : styleText(statusColors[status], cell);
}
