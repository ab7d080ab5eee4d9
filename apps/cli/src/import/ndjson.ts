import { findIJsonFault, parseJson } from '@petstore/contract';
import { type Content, type RawRecord, readNewPet } from './input-record.ts';
import { decodeLine, type Line, MAX_LINE_BYTES } from './lines.ts';

/** Reads a pet from each line of JSON. Empty lines are skipped. */
export async function* readNdjson(lines: AsyncIterable<Line>): AsyncGenerator<RawRecord> {
  for await (const { number, end, bytes } of lines) {
    const text = bytes && decodeLine(bytes);
    if (text?.trim() === '') continue;
    const read = () => (text === undefined ? unreadable(bytes) : readJson(text));
    yield { line: number, lastLine: number, end, text: text ?? '', read };
  }
}

/** Why a line could not be decoded. */
export const unreadable = (bytes: Buffer | undefined): Content => ({
  problem: bytes ? 'The line is not UTF-8' : `The line is longer than ${MAX_LINE_BYTES} bytes`,
});

/** Refuses what the service would refuse, such as a member that occurs twice. */
function readJson(text: string): Content {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return { problem: 'The line is not well-formed JSON' };
  }
  const fault = findIJsonFault(text);
  return fault === undefined ? readNewPet(value) : { problem: `The line ${fault}` };
}
