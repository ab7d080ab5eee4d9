/** The longest line that is read; a longer one is skipped without being held in memory. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** A line of a file. */
export interface Line {
  /** 1 for the first. */
  number: number;
  /** How many bytes of the file end with it, its line break included. */
  end: number;
  /** `undefined` when it is too long. */
  bytes: Buffer | undefined;
}

const LINE_FEED = 10;

/** Splits a stream into lines, in constant memory. */
export async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  let end = 0;
  let parts: Buffer[] = [];
  let length = 0;

  const add = (part: Buffer) => {
    length += part.length;
    if (length <= MAX_LINE_BYTES) parts.push(part);
    else parts = [];
  };
  const take = (breakBytes: number): Line => {
    number += 1;
    end += length + breakBytes;
    const bytes = length > MAX_LINE_BYTES ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts);
    parts = [];
    length = 0;
    return { number, end, bytes };
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

const decoder = new TextDecoder('utf-8', { fatal: true });

/** @returns the text of a line, or `undefined` when it is not UTF-8: a replacement would change a name silently */
export function decodeLine(bytes: Buffer): string | undefined {
  try {
    const text = decoder.decode(bytes);
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  } catch {
    return undefined;
  }
}
