import { createReadStream } from 'node:fs';
import type { FileFormat } from '../file-format.ts';
import { readCsv } from './csv.ts';
import { type InputRecord, withDigests } from './input-record.ts';
import { readLines } from './lines.ts';
import { readNdjson } from './ndjson.ts';

const readers = { csv: readCsv, ndjson: readNdjson };

/** Stands for standard input in place of a path. */
export const STDIN = '-';

/** The records of a file, or of standard input, each with the digest of the input up to it. */
export function openInput(path: string, format: FileFormat, seed: string): AsyncIterable<InputRecord> {
  const source: AsyncIterable<Buffer> = path === STDIN ? process.stdin : createReadStream(path);
  return withDigests(readers[format](readLines(source)), seed);
}
