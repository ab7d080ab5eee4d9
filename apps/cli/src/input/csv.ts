import { NewPet } from '@petstore/contract';
import { CommandError, exitCodes } from '../exit-code.ts';
import { type CsvRow, CsvRowReader } from './csv-row-reader.ts';
import { type Content, type RawRecord, readNewPet } from './input-record.ts';
import type { Line } from './lines.ts';
import { properties, readProperty } from './read-property.ts';

const required = NewPet.safeParse({}).error?.issues.map(({ path }) => String(path[0])) ?? [];

/**
 * Reads a pet from each row of CSV (RFC 4180) by the names in its first row. A column that is no property of a pet is
 * ignored, as the service ignores members. Empty lines are skipped.
 *
 * csv-parse would parse the rows, too. It does not tell where in the file a row ends, and after one that is not
 * well-formed it counts lines wrongly.
 *
 * @throws CommandError when the first row lacks a required column
 */
export async function* readCsv(lines: AsyncIterable<Line>): AsyncGenerator<RawRecord> {
  let header: readonly string[] | undefined;
  for await (const { fields, problem, ...row } of readRows(lines)) {
    if (header === undefined) {
      header = problem === undefined ? fields() : [];
      expectColumns(header);
      continue;
    }
    const names = header;
    yield { ...row, read: () => (problem === undefined ? readRow(fields(), names) : { problem }) };
  }
}

async function* readRows(lines: AsyncIterable<Line>): AsyncGenerator<CsvRow> {
  const reader = new CsvRowReader();
  for await (const line of lines) yield* reader.push(line);
  yield* reader.end();
}

function expectColumns(names: readonly string[]): void {
  if (required.every((name) => names.includes(name))) return;
  throw new CommandError(
    `The first line of a CSV file names its columns, such as ${properties}`,
    exitCodes.refused,
  );
}

function readRow(fields: readonly string[], names: readonly string[]): Content {
  if (fields.length !== names.length) {
    return { problem: `The row has ${fields.length} fields, and the first row ${names.length}` };
  }
  const entries = properties.map((name) => {
    const field = fields[names.indexOf(name)];
    return [name, field === undefined ? undefined : readProperty(name, field)];
  });
  return readNewPet(Object.fromEntries(entries));
}
