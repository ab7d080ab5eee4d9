import { createReadStream } from 'node:fs';
import { CommandError, exitCodes } from '../exit-code.ts';
import { readCsv } from './csv.ts';
import { type InputRecord, withDigests } from './input-record.ts';
import { readLines } from './lines.ts';
import { readNdjson } from './ndjson.ts';

export const fileFormats = ['csv', 'ndjson'] as const;
export type FileFormat = (typeof fileFormats)[number];

const readers = { csv: readCsv, ndjson: readNdjson };

/** Stands for standard input in place of a path. */
export const STDIN = '-';

/** The records of a file, or of standard input, each with the digest of the input up to it. */
export function openInput(path: string, format: FileFormat, seed: string): AsyncIterable<InputRecord> {
  const source: AsyncIterable<Buffer> = path === STDIN ? process.stdin : createReadStream(path);
  return withDigests(readers[format](readLines(source)), seed);
}

/** The format that the name of a file tells. @throws CommandError when it tells none */
export function formatOf(path: string): FileFormat {
  if (/\.csv$/i.test(path)) return 'csv';
  if (/\.(nd)?jsonl?$/i.test(path)) return 'ndjson';
  throw new CommandError(
    `The name of ${path} does not tell its format: say --format csv or ndjson`,
    exitCodes.usage,
  );
}
