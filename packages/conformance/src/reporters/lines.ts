import type { Result } from '../run/run.ts';

/**
 * One line for each check: `ok` or `FAIL`, its statement, where that is written, and the reason of a
 * failure. The failures come again at the end, where a reader of a long log looks first.
 */
export async function* lines(results: AsyncIterable<Result>): AsyncGenerator<string> {
  const failures: string[] = [];
  for await (const result of results) {
    const line = lineOf(result);
    if (!result.passed) failures.push(line);
    yield line;
  }
  if (failures.length > 0) yield ['', 'Failures:', ...failures, ''].join('\n');
}

/** The line of one result. */
export function lineOf({ check, passed, error }: Result): string {
  const line = `${passed ? 'ok  ' : 'FAIL'} ${check.name} (${check.cites})`;
  return error === undefined ? line : `${line}: ${oneLine(error.message)}`;
}

// A body in the message may hold anything; a control character would reach the terminal.
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
