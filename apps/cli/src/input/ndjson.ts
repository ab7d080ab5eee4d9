import { findIJsonFault, parseJson } from '@petstore/contract';
import { type Content, type RawRecord, readNewPet } from './input-record.ts';
import { type Line, withoutCarriageReturn } from './lines.ts';

/** Reads a pet from each line of JSON. Empty lines are skipped. */
export async function* readNdjson(lines: AsyncIterable<Line>): AsyncGenerator<RawRecord> {
  for await (const { number, end, text, problem } of lines) {
    if (problem === undefined && text.trim() === '') continue;
    const read = () => (problem === undefined ? readJson(text) : { problem });
    yield { line: number, lastLine: number, end, text: withoutCarriageReturn(text), read };
  }
}

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
