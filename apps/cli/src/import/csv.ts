import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { CommandError, exitCodes } from '../exit-code.ts';
import { properties, readNewPet, readProperty, requiredProperties } from '../new-pet.ts';
import { type Line, MAX_RECORD_BYTES, withoutCarriageReturn } from './lines.ts';
import type { Content, FileRecord } from './record.ts';

/** A row, with the lines that it consists of. */
interface Row {
  line: number;
  text: string;
  fields: readonly string[] | { problem: string };
}

const refusedColumns = ['line', 'error'];

/**
 * Reads a pet from each row of CSV (RFC 4180) by the names in its first row. A column that is no property of a pet is
 * ignored, as the service ignores members. Empty lines are skipped.
 *
 * @throws CommandError when the first row lacks a required column
 */
export async function* readCsv(lines: AsyncIterable<Line>): AsyncGenerator<FileRecord> {
  let names: readonly string[] | undefined;
  let refusedHeader = '';
  for await (const row of readRows(lines)) {
    if (names === undefined) {
      names = readNames(row);
      refusedHeader = `${refusedColumns},${row.text}\n`;
      continue;
    }
    yield {
      line: row.line,
      content: readContent(row, names),
      refusedHeader,
      formatRefused: (reason) => `${stringify([[row.line, reason]]).trimEnd()},${row.text}\n`,
    };
  }
}

/**
 * Splits lines into rows. csv-parse parses each row by itself: its stream would drop the text of a row whose quotes
 * are wrong, and every row up to the next quote with it.
 */
async function* readRows(lines: AsyncIterable<Line>): AsyncGenerator<Row> {
  /** The lines of a row whose end is not yet known, because a quote is open, and their length. */
  let open: Line[] = [];
  let length = 0;

  function* push(line: Line): Generator<Row> {
    open.push(line);
    length += line.text.length;
    const isTooLong = length > MAX_RECORD_BYTES;
    // A line without a quote closes none.
    if (open.length > 1 && !line.text.includes('"') && !isTooLong) return;
    const row = parseRow(open);
    if (row === undefined) {
      if (isTooLong) yield* refuseFirst(`A quote is not closed within ${MAX_RECORD_BYTES} bytes`);
    } else if ('problem' in row.fields) {
      yield* refuseFirst(row.fields.problem);
    } else {
      open = [];
      length = 0;
      if (row.text !== '') yield row;
    }
  }

  /** Refuses the line with the quote that is most likely wrong. Those behind it are read as rows of their own. */
  function* refuseFirst(problem: string): Generator<Row> {
    const [first, ...others] = open;
    open = [];
    length = 0;
    if (first) yield createRow([first], { problem });
    for (const line of others) yield* push(line);
  }

  for await (const line of lines) yield* push(line);
  while (open.length > 0) yield* refuseFirst('A quote is never closed');
}

/** @returns `undefined` while a quote is open, so that the row goes on in the next line */
function parseRow(lines: readonly Line[]): Row | undefined {
  const problem = lines.find((line) => line.problem !== undefined)?.problem;
  if (problem !== undefined) return createRow(lines, { problem });
  const row = createRow(lines, []);
  try {
    const [fields = []] = parse(row.text, { record_delimiter: '\n' });
    return { ...row, fields };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') return undefined;
    return {
      ...row,
      fields: { problem: 'A quote is in the middle of a field: quote the field, and double the quote' },
    };
  }
}

function createRow(lines: readonly Line[], fields: Row['fields']): Row {
  const text = withoutCarriageReturn(lines.map((line) => line.text).join('\n'));
  return { line: lines[0]?.number ?? 0, text, fields };
}

/** Reads the names of the columns from the first row. */
function readNames({ fields }: Row): readonly string[] {
  if (!('problem' in fields) && requiredProperties.every((name) => fields.includes(name))) return fields;
  throw new CommandError(
    `The first line of a CSV file names its columns, such as ${properties}`,
    exitCodes.refused,
  );
}

function readContent({ fields }: Row, names: readonly string[]): Content {
  if ('problem' in fields) return fields;
  if (fields.length !== names.length) {
    return { problem: `The row has ${fields.length} fields, and the first row ${names.length}` };
  }
  const entries = properties.map((name) => {
    const field = fields[names.indexOf(name)];
    return [name, field === undefined ? undefined : readProperty(name, field)];
  });
  const content = readNewPet(Object.fromEntries(entries));
  return 'pet' in content ? { ...content, text: JSON.stringify([names, fields]) } : content;
}
