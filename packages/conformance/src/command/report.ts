import { styleText } from 'node:util';
import { titleOf } from '../check.ts';
import type { Failure, Result } from './run.ts';

/** A line if a check passed or is known to fail, a paragraph if it failed, and an empty text if it did not run. */
export function describeResult({ check, outcome, failure }: Result): string {
  const title = titleOf(check);
  if (outcome === 'passed') return `${styleText('green', 'ok')}   ${title}\n`;
  if (outcome === 'known') return `${styleText('yellow', 'known')} ${title}: ${failure.summary}\n`;
  if (failure === undefined) return '';
  const line = `${styleText('red', 'FAIL')} ${title}: ${failure.summary}`;
  return paragraph(line, failure.replay?.curl, describeRequestId(failure));
}

/** A paragraph for each finding, with the titles of its checks. */
function findingsOf(results: readonly Result[]): string[] {
  const failed = results.flatMap((result) => (result.outcome === 'failed' ? [result] : []));
  return Array.from(
    Map.groupBy(failed, ({ failure }) => failure.finding),
    ([finding, ofFinding]) => {
      const failure = ofFinding[0]?.failure;
      const example = [failure?.replay?.curl, failure?.replay?.received, describeRequestId(failure)];
      const titles = ofFinding.map(({ check }) => `- ${titleOf(check)}`);
      return paragraph(`Finding: ${finding} (${quantityOf(titles.length, 'check')})`, ...example, ...titles);
    },
  );
}

const quantityOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** As in `32 passed, 3 failed (1 finding), 2 known, 4 not run`. */
function countsOf(results: readonly Result[], findingCount: number): string {
  const count = (wanted: Result['outcome']) => results.filter(({ outcome }) => outcome === wanted).length;
  const findings = findingCount === 0 ? '' : ` (${quantityOf(findingCount, 'finding')})`;
  const others = (['known', 'not run'] as const).filter((outcome) => count(outcome) > 0);
  return [
    `${count('passed')} passed`,
    `${count('failed')} failed${findings}`,
    ...others.map((outcome) => `${count(outcome)} ${outcome}`),
  ].join(', ');
}

/** The findings, and the counts. */
export function summarize(results: readonly Result[]): string {
  const findings = findingsOf(results);
  const counts = `${styleText(findings.length > 0 ? 'red' : 'green', countsOf(results, findings.length))}\n`;
  // With findings, an empty line comes before each of them and before the counts.
  return findings.length > 0 ? ['', ...findings, counts].join('\n') : counts;
}

export const describeRequestId = (failure: Failure | undefined) =>
  failure?.replay?.requestId && `request id ${failure.replay.requestId}`;

/** Joins lines. All but the first begin below the title that follows `FAIL `. */
const paragraph = (...lines: (string | undefined)[]): string =>
  `${lines.filter((line) => line !== undefined).join('\n     ')}\n`;
