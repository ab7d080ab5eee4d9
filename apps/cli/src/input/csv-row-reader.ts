import { CsvRowParser } from './csv-row-parser.ts';
import type { RawRecord } from './input-record.ts';
import { type Line, MAX_RECORD_BYTES, withoutCarriageReturn } from './lines.ts';

/** A row of CSV, which may have several lines. */
export interface CsvRow extends Omit<RawRecord, 'read'> {
  /** Why the row cannot be parsed, if it cannot. */
  problem: string | undefined;
  fields(): readonly string[];
}

/**
 * Joins lines to rows. A quote that is not closed where it should be is most likely one too many: only the lines up
 * to it are refused, and those behind it are read again as rows of their own. No line is read a third time, for
 * none of them leaves a quote open.
 */
export class CsvRowReader {
  /** The lines of a row whose end is not yet known. */
  #lines: Line[] = [];
  #parser = new CsvRowParser();

  /** Takes the next line. Returns the rows that end with it. */
  *push(line: Line): Generator<CsvRow> {
    if (this.#lines.length === 0 && !line.text.includes('"')) {
      const text = withoutCarriageReturn(line.text);
      // Most rows have no quotes, and need no parser.
      if (text !== '' || line.problem) yield createRow([line], () => text.split(','));
      return;
    }
    this.#lines.push(line);
    const isTooLong = line.end - (this.#lines[0]?.end ?? 0) > MAX_RECORD_BYTES;
    const problem = isTooLong
      ? this.#describeOpenQuote(`is not closed within ${MAX_RECORD_BYTES} bytes`)
      : this.#parser.parseLine(line.text, line.number);
    if (problem !== undefined) yield* this.#refuse(problem);
    else if (!this.#parser.isOpen) yield this.#take();
  }

  /** Returns the rows that end with the file. */
  *end(): Generator<CsvRow> {
    while (this.#lines.length > 0) yield* this.#refuse(this.#describeOpenQuote('is never closed'));
  }

  #describeOpenQuote(what: string): string {
    return `The quote that opens in line ${this.#parser.quoteLine} ${what}`;
  }

  *#refuse(problem: string): Generator<CsvRow> {
    const { quoteLine } = this.#parser;
    const isOfRow = ({ number }: Line) => quoteLine === undefined || number <= quoteLine;
    const others = this.#lines.filter((line) => !isOfRow(line));
    this.#lines = this.#lines.filter(isOfRow);
    yield { ...this.#take(), problem };
    for (const line of others) yield* this.push(line);
  }

  /** Ends the row with the lines that it has. */
  #take(): CsvRow {
    const lines = this.#lines;
    const { fields } = this.#parser;
    this.#lines = [];
    this.#parser = new CsvRowParser();
    return createRow(lines, () => fields);
  }
}

function createRow(lines: readonly Line[], fields: CsvRow['fields']): CsvRow {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) throw new Error('A row has a line');
  return {
    line: first.number,
    lastLine: last.number,
    end: last.end,
    text: withoutCarriageReturn(lines.map(({ text }) => text).join('\n')),
    problem: lines.find(({ problem }) => problem !== undefined)?.problem,
    fields,
  };
}
