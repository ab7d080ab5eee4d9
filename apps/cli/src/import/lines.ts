import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';

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

/** Reads the lines of a file, or of standard input, in constant memory. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  const source = path === STDIN ? process.stdin : createReadStream(path);
  // Latin-1 gives a character for each byte. A character of UTF-8 may begin in one chunk and end in the next.
  source.setEncoding('latin1');
  let number = 0;
  let rest = '';
  for await (const chunk of source) {
    const lines = (rest + chunk).split('\n');
    // Only the beginning of a too long line is kept.
    rest = lines.pop()?.slice(0, MAX_RECORD_BYTES + 1) ?? '';
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
 */
function decode(number: number, bytes: string): Line {
  if (bytes.length > MAX_RECORD_BYTES) {
    return { number, text: bytes, problem: `The line is longer than ${MAX_RECORD_BYTES} bytes` };
  }
  const buffer = Buffer.from(bytes, 'latin1');
  if (!isUtf8(buffer)) return { number, text: bytes, problem: 'The line is not UTF-8' };
  const text = buffer.toString();
  return { number, text: number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text };
}

export const withoutCarriageReturn = (text: string): string =>
  text.endsWith('\r') ? text.slice(0, -1) : text;
