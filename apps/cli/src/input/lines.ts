/** The longest record that is read; a longer line is skipped without being held in memory. */
export const MAX_RECORD_BYTES = 1024 * 1024;

/** A line of a file. */
export interface Line {
  /** 1 for the first. */
  number: number;
  /** How many bytes of the file end with it, its line break included. */
  end: number;
  /** Without its line feed, and without the byte order mark of the file; `''` when it is too long. */
  text: string;
  /** Why it cannot be read, if it cannot. */
  problem: string | undefined;
}

const LINE_FEED = 10;
const BYTE_ORDER_MARK = '\ufeff';

/** Splits a stream into lines, in constant memory. */
export async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  let end = 0;
  let parts: Buffer[] = [];
  let length = 0;

  const add = (part: Buffer) => {
    length += part.length;
    if (length <= MAX_RECORD_BYTES) parts.push(part);
    else parts = [];
  };
  const take = (breakBytes: number): Line => {
    number += 1;
    end += length + breakBytes;
    const [first, ...others] = parts;
    const decoded =
      length > MAX_RECORD_BYTES
        ? { text: '', problem: `The line is longer than ${MAX_RECORD_BYTES} bytes` }
        : decode(first && others.length === 0 ? first : Buffer.concat(parts));
    // Anywhere else, the character is one of a name.
    if (number === 1 && decoded.text.startsWith(BYTE_ORDER_MARK)) decoded.text = decoded.text.slice(1);
    parts = [];
    length = 0;
    return { number, end, ...decoded };
  };

  for await (const chunk of source) {
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, at));
      yield take(1);
      start = at + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield take(0);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Replaces nothing in a line that is not UTF-8: a name would change silently. */
function decode(bytes: Buffer): Pick<Line, 'text' | 'problem'> {
  try {
    return { text: decoder.decode(bytes), problem: undefined };
  } catch {
    return { text: bytes.toString('latin1'), problem: 'The line is not UTF-8' };
  }
}

/** The text of a line that ended with a carriage return and a line feed. */
export const withoutCarriageReturn = (text: string): string =>
  text.endsWith('\r') ? text.slice(0, -1) : text;
