import type { Check } from '../check.ts';
import type { Replay } from '../conformance-error.ts';
import { type Finding, findingsOf, replayOf } from '../run/findings.ts';
import type { Result } from '../run/run.ts';

/**
 * One line for each check: `ok` or `FAIL`, its statement, where that is written, and the reason of a failure, with
 * its request below. The failures come again at the end, grouped by their cause, where a reader of a long log looks
 * first.
 */
export async function* lines(results: AsyncIterable<Result>): AsyncGenerator<string> {
  const all: Result[] = [];
  for await (const result of results) {
    all.push(result);
    const { check, passed, error } = result;
    const line = `${passed ? 'ok  ' : 'FAIL'} ${titleOf(check)}`;
    const { curl, requestId } = linesOf(replayOf(error));
    yield paragraph(error === undefined ? line : `${line}: ${error.message}`, curl, requestId);
  }
  for (const finding of findingsOf(all)) yield `\n${describeFinding(finding)}`;
  if (all.some(({ passed }) => !passed)) yield '';
}

/** A finding as a paragraph: its cause, a request with the response to it, and the checks that failed. */
export function describeFinding({ cause, checks, replay }: Finding): string {
  const { curl, received, requestId } = linesOf(replay);
  const count = checks.length === 1 ? '1 check' : `${checks.length} checks`;
  const names = checks.map((check) => `- ${titleOf(check)}`);
  return paragraph(`Finding: ${cause} (${count})`, curl, received, requestId, ...names);
}

/** The request of a failure again, what came, and the id under which the service logged it. */
export function linesOf({ curl, received, requestId }: Partial<Replay> = {}) {
  return { curl, received, requestId: requestId === undefined ? undefined : `request id ${requestId}` };
}

const titleOf = ({ name, cites }: Check) => `${name} (${cites})`;

/** The lines that there are, all but the first indented. */
function paragraph(...lines: (string | undefined)[]): string {
  return lines
    .filter((line) => line !== undefined)
    .map(oneLine)
    .join('\n     ');
}

/** A body may hold anything, and a control character would reach the terminal. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
