import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { CommandError, exitCodes } from '../exit-code.ts';
import { isRequired, properties, readNewPet, readProperty } from '../new-pet.ts';
import { type Content, type FileRecord, type Line, MAX_RECORD_BYTES } from './lines.ts';

interface Row {
  /** The number of the row's first line. */
  line: number;
  text: string;
  fields: readonly string[] | { problem: string };
}

/**
 * Reads a pet from each row of CSV (RFC 4180). The first row names the columns. Unknown columns and empty lines are
 * ignored.
 * @throws CommandError when the first row cannot be read, lacks a required column, or names a property twice
 */
export async function* readCsv(lines: AsyncIterable<Line>): AsyncGenerator<FileRecord> {
  let names: readonly string[] | undefined;
  let refusedHeader = '';
  for await (const row of splitRows(lines)) {
    if (names === undefined) {
      names = readNames(row);
      refusedHeader = `line,error,${row.text}\n`;
      continue;
    }
    yield {
      line: row.line,
      content: readContent(row, names),
      refusedHeader,
      formatRefused: (reason) => `${stringify([[row.line, reason]]).trimEnd()},${row.text}\n`,
    };
  }
  if (names === undefined) throw refuseHeader('The file has no rows');
}

async function* splitRows(lines: AsyncIterable<Line>): AsyncGenerator<Row> {
  const splitter = new RowSplitter();
  for await (const line of lines) yield* splitter.add(line);
  // One call is enough: a further line with an odd number of quotes would have closed the quote, and a line with an
  // even number leaves none open.
  yield* splitter.refuseFirst('A quote is never closed');
}

/**
 * Groups lines into rows, so that csv-parse parses one row at a time. Its stream would drop a row with a misplaced
 * quote, and every row up to the next quote.
 */
class RowSplitter {
  /** The lines of a row that has not ended yet. */
  #open: Line[] = [];
  #quoteCount = 0;
  /** Characters, including line feeds: never more than the bytes. */
  #length = 0;

  /** @returns the rows that end with the line */
  add(line: Line): Row[] {
    this.#open.push(line);
    this.#length += line.text.length + 1;
    this.#quoteCount += line.text.split('"').length - 1;
    const isTooLong = this.#length > MAX_RECORD_BYTES;
    // A first line is always parsed, to find a misplaced quote. Parsing the row again at each further line would take
    // quadratic time, and only an even number of quotes can end it.
    if (this.#open.length > 1 && this.#quoteCount % 2 === 1 && !isTooLong) return [];
    const row = parseRow(this.#open);
    if (row === undefined) {
      return isTooLong ? this.refuseFirst(`A quote is not closed within ${MAX_RECORD_BYTES} bytes`) : [];
    }
    if ('problem' in row.fields) return this.refuseFirst(row.fields.problem);
    const rowLines = this.#takeOpen();
    const problem = rowLines.find((each) => each.problem !== undefined)?.problem;
    if (problem !== undefined) return [{ ...row, fields: { problem } }];
    return row.text === '' ? [] : [row];
  }

  /** Refuses the first open line, if any: it most likely has the misplaced quote. Parses the lines after it again. */
  refuseFirst(problem: string): Row[] {
    const [first, ...others] = this.#takeOpen();
    const refused = first ? [createRow([first], { problem: first.problem ?? problem })] : [];
    return refused.concat(others.flatMap((line) => this.add(line)));
  }

  #takeOpen(): Line[] {
    const lines = this.#open;
    this.#open = [];
    this.#length = 0;
    this.#quoteCount = 0;
    return lines;
  }
}

/** @returns `undefined` when a quote is open, so that the row continues on the next line */
function parseRow(lines: readonly Line[]): Row | undefined {
  const row = createRow(lines, []);
  try {
    const [fields = []] = parse(row.text, { record_delimiter: '\n' });
    return { ...row, fields };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') return undefined;
    const problem = 'A quote is in the middle of a field: quote the field, and double the quote';
    return { ...row, fields: { problem } };
  }
}

function createRow(lines: readonly Line[], fields: Row['fields']): Row {
  const text = lines.map((line) => line.text).join('\n');
  return { line: lines[0]?.number ?? 0, text: text.replace(/\r$/, ''), fields };
}

function readNames({ fields, text }: Row): readonly string[] {
  if ('problem' in fields) throw refuseHeader(fields.problem);
  // Excel's "CSV (Macintosh)" has only carriage returns: the whole file would be the first row.
  if (/\r(?!\n)/.test(text)) throw refuseHeader('It has a carriage return without a line feed');
  for (const name of properties) {
    if (fields.indexOf(name) !== fields.lastIndexOf(name))
      throw refuseHeader(`It names ${name} more than once`);
  }
  if (properties.filter(isRequired).every((name) => fields.includes(name))) return fields;
  // The header of an export of another program may be long.
  throw refuseHeader(`It begins with ${JSON.stringify(text.slice(0, 200))}`);
}

function refuseHeader(fault: string): CommandError {
  const required = properties.filter(isRequired).join(' and ');
  const optional = properties.filter((name) => !isRequired(name)).join(', ');
  return new CommandError(
    `The first line of a CSV file must name the columns, with commas between them: ${required}, optionally ${optional}. ${fault}`,
    exitCodes.refused,
  );
}

function readContent({ fields }: Row, names: readonly string[]): Content {
  if ('problem' in fields) return fields;
  if (fields.length !== names.length) {
    return { problem: `The number of fields is ${fields.length}, but the first row has ${names.length}` };
  }
  const entries = properties.map((name) => {
    const field = fields[names.indexOf(name)];
    return [name, field === undefined ? undefined : readProperty(name, field)];
  });
  const content = readNewPet(Object.fromEntries(entries));
  // The Idempotency-Key depends on the names, too: under other names of columns, equal fields are another record.
  return 'pet' in content ? { ...content, recordJson: JSON.stringify([names, fields]) } : content;
}
