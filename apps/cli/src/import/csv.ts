import { NewPet, parseInt64 } from '@petstore/contract';
import { parse } from 'csv-parse/sync';
import { CommandError, exitCodes } from '../exit-code.ts';
import { type Content, type RawRecord, readNewPet } from './input-record.ts';
import { decodeLine, type Line, MAX_LINE_BYTES } from './lines.ts';
import { unreadable } from './ndjson.ts';

/** What a field of a column means. A column that is not here is ignored, as the service ignores members. */
const columns: Record<keyof NewPet, (field: string) => unknown> = {
  name: (field) => field,
  categoryId: (field) => parseInt64(field) ?? field,
  status: (field) => (field === '' ? undefined : field),
};

const required = NewPet.safeParse({}).error?.issues.map(({ path }) => String(path[0])) ?? [];

/**
 * Reads a pet from each row of CSV (RFC 4180) by the names in its first row. Empty lines are skipped.
 *
 * csv-parse parses the rows. It does not split the file, because after a row that is not well-formed it counts
 * lines wrongly.
 *
 * @throws CommandError when the first row lacks a required column
 */
export async function* readCsv(lines: AsyncIterable<Line>): AsyncGenerator<RawRecord> {
  let header: string[] | undefined;
  for await (const { problem, ...row } of readRows(lines)) {
    if (header === undefined) {
      header = readHeader(problem ?? parseFields(row.text));
      continue;
    }
    const names = header;
    yield { ...row, read: () => problem ?? readRow(row.text, names) };
  }
}

interface Row extends Omit<RawRecord, 'read'> {
  /** Why the row cannot be parsed, if it cannot. */
  problem: Content | undefined;
}

/** Joins the lines of a row: a quoted field may contain line breaks. */
async function* readRows(lines: AsyncIterable<Line>): AsyncGenerator<Row> {
  let open: Row | undefined;
  for await (const { number, end, bytes } of lines) {
    const text = bytes && decodeLine(bytes);
    if (text === '' && open === undefined) continue;
    const line = open?.line ?? number;
    const row: Row = {
      line,
      lastLine: number,
      end,
      text: open ? `${open.text}\n${text ?? ''}` : (text ?? ''),
      problem: text === undefined ? unreadable(bytes) : undefined,
    };
    const isOpen = row.problem === undefined && endsInsideQuotes(row.text);
    open = isOpen && row.text.length <= MAX_LINE_BYTES ? row : undefined;
    if (open === undefined) yield row;
  }
  if (open !== undefined) yield open;
}

/** One field and its comma. A quote that nothing closes matches without the group. */
const FIELD = /(?:"(?:[^"]|"")*("?)|(?!"))[^,]*(?:,|$)/y;

function endsInsideQuotes(text: string): boolean {
  if (!text.includes('"')) return false;
  for (FIELD.lastIndex = 0; FIELD.lastIndex < text.length; ) {
    const isQuoted = text[FIELD.lastIndex] === '"';
    if (FIELD.exec(text)?.[1] === '' && isQuoted) return true;
  }
  return false;
}

function readHeader(fields: Content | readonly string[]): string[] {
  if (Array.isArray(fields) && required.every((name) => fields.includes(name))) return fields;
  const names = Object.keys(columns).join(',');
  throw new CommandError(
    `The first line of a CSV file names its columns, such as ${names}`,
    exitCodes.refused,
  );
}

function readRow(text: string, header: readonly string[]): Content {
  const fields = parseFields(text);
  if ('problem' in fields) return fields;
  if (fields.length !== header.length) {
    return { problem: `The row has ${fields.length} fields, and the first row ${header.length}` };
  }
  const entries = Object.entries(columns).map(([name, read]) => {
    const field = fields[header.indexOf(name)];
    return [name, field === undefined ? undefined : read(field)];
  });
  return readNewPet(Object.fromEntries(entries));
}

/** Most rows have no quotes, and need no parser. */
function parseFields(text: string): string[] | { problem: string } {
  if (!text.includes('"')) return text.split(',');
  try {
    return parse(text, { relax_column_count: true })[0] ?? [];
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/ at line \d+/, '') : String(error);
    return { problem: `The row is not well-formed CSV: ${reason}` };
  }
}
