import { isDeepStrictEqual } from 'node:util';
import { findIJsonFault, parseJson, stringifyJson } from '@petstore/contract';
import { CommandError, exitCodes } from '../exit-code.ts';
import { readNewPet } from '../new-pet.ts';
import type { Content, FileRecord, Line } from './lines.ts';

/**
 * Reads a pet from each line of JSON. Empty lines are skipped.
 * @throws CommandError when the file is one JSON array
 */
export async function* readNdjson(lines: AsyncIterable<Line>): AsyncGenerator<FileRecord> {
  for await (const { number, text, problem } of lines) {
    if (problem === undefined && text.trim() === '') continue;
    // A line with a problem still has its byte order mark, in Latin-1.
    if (number === 1 && /^(?:\xef\xbb\xbf)?\s*\[/.test(text))
      throw new CommandError(ARRAY_PROBLEM, exitCodes.refused);
    const value = problem === undefined ? readObject(text) : { problem };
    yield {
      line: number,
      content: 'object' in value ? readContent(value.object) : value,
      refusedHeader: '',
      formatRefused: (reason) => {
        // A number that `parseJson` cannot represent became `NaN` or `Infinity`, and would be written as null.
        const isExact =
          'object' in value && isDeepStrictEqual(parseJson(stringifyJson(value.object)), value.object);
        const rest = isExact ? value.object : { input: text.replace(/\r$/, '') };
        return `${stringifyJson({ ...rest, line: number, error: reason })}\n`;
      },
    };
  }
}

const ARRAY_PROBLEM =
  "The file begins with [, but must have one JSON object on each line and no array: jq -c '.[]' writes such lines";

/** Parses an object, or returns why the service would refuse it, such as a duplicate member. */
function readObject(text: string): { object: object } | { problem: string } {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return { problem: 'The line is not well-formed JSON' };
  }
  const fault = findIJsonFault(text);
  if (fault !== undefined) return { problem: `The line ${fault}` };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { object: value };
  return { problem: 'The line must be a JSON object' };
}

function readContent(object: object): Content {
  const content = readNewPet(object);
  return 'pet' in content ? { ...content, recordJson: stringifyJson(object) } : content;
}
