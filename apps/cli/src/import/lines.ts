import { isUtf8 } from 'node:buffer';
import { createReadStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewPet } from '@petstore/contract';
import { CommandError, describeError, exitCodes } from '../exit-code.ts';

/** The longest line or row that is read, in bytes: four times the largest pet, because a row may have other columns. */
export const MAX_RECORD_BYTES = 256 * 1024;

export const STDIN = '-';

export interface Line {
  number: number;
  /** Without the line feed and the byte order mark. */
  text: string;
  /** Why the line cannot be read. If it is set, the text has a character for each byte. */
  problem?: string;
}

/** A pet to add, or the record's problem. `recordJson` has ignored columns, too: it goes into the Idempotency-Key. */
export type Content = { pet: NewPet; recordJson: string } | { problem: string };

/** A line of NDJSON, or a row of CSV, which may have several lines. */
export interface FileRecord {
  /** The number of its first line. */
  line: number;
  content: Content;
  /** The first line of a file of refused records. */
  refusedHeader: string;
  /**
   * Formats the record for a file of refused records: its line, the reason, and the record itself. An import of the
   * corrected file ignores the line and the reason.
   */
  formatRefused(reason: string): string;
}

/** Reads a file, or standard input, until the signal aborts. @throws CommandError when the file cannot be opened */
export function openLines(path: string, signal: AbortSignal): AsyncGenerator<Line> {
  // Standard input has the descriptor 0.
  let descriptor = 0;
  try {
    if (path !== STDIN) descriptor = openSync(path, 'r');
  } catch (error) {
    throw new CommandError(describeError(error), exitCodes.usage);
  }
  const stats = fstatSync(descriptor);
  if (stats.isDirectory()) throw new CommandError(`${path} is a folder`, exitCodes.usage);
  // A stream of `fs` would keep the process alive until its thread has read from the pipe.
  const pipe = stats.isFIFO() ? new Socket({ fd: descriptor }) : undefined;
  const source = pipe ?? (descriptor === 0 ? process.stdin : createReadStream('', { fd: descriptor }));
  return readLines(addAbortSignal(signal, source));
}

/** Reads lines in constant memory. */
async function* readLines(source: Readable): AsyncGenerator<Line> {
  // Latin-1 gives a character for each byte. A character of UTF-8 may begin in one chunk and end in the next.
  source.setEncoding('latin1');
  let number = 0;
  let rest = '';
  for await (const chunk of source) {
    // A fast pipe leaves no turn of the event loop to signals, timers and requests.
    await nextTurn();
    const lines = (rest + chunk).split('\n');
    // Only the beginning of a too long line is kept.
    rest = (lines.pop() ?? '').slice(0, MAX_RECORD_BYTES + 1);
    for (const bytes of lines) {
      number += 1;
      yield decode(number, bytes);
    }
  }
  if (rest !== '') yield decode(number + 1, rest);
}

/**
 * Decodes a line strictly: replacement characters for malformed UTF-8 would change names silently.
 * @param bytes a character for each byte
 * @throws CommandError when the file is UTF-16
 */
function decode(number: number, bytes: string): Line {
  if (bytes.length > MAX_RECORD_BYTES) {
    return { number, text: bytes, problem: `The line is longer than ${MAX_RECORD_BYTES} bytes` };
  }
  // UTF-16 has a byte order mark, or a zero byte in its first character if that is ASCII.
  if (number === 1 && /^(\xff\xfe|\xfe\xff|.?\0)/s.test(bytes)) {
    const problem = 'The file is UTF-16, but must be UTF-8: convert it with iconv';
    throw new CommandError(problem, exitCodes.refused);
  }
  const buffer = Buffer.from(bytes, 'latin1');
  if (!isUtf8(buffer)) return { number, text: bytes, problem: 'The line is not UTF-8' };
  const text = buffer.toString();
  return { number, text: number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text };
}
