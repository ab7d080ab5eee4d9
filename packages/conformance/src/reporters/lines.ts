import type { Result } from '../run.ts';

/** One line a check: `ok` or `FAIL`, what it states, where that is written, and the reason of a failure. */
export async function* lines(results: AsyncIterable<Result>): AsyncGenerator<string> {
  for await (const { check, passed, error } of results) {
    const line = `${passed ? 'ok  ' : 'FAIL'} ${check.name} (${check.cites})`;
    yield error === undefined ? line : `${line}: ${oneLine(error.message)}`;
  }
}

// A body in the message may hold anything; a control character would reach the terminal.
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
