import { titleOf } from './check.ts';
import type { Failure, Result } from './run.ts';

/** The line of a check that passed, or the paragraph of one that failed; empty for a check that did not run. */
export function describeResult({ check, outcome, failure }: Result): string {
  const title = titleOf(check);
  if (failure === undefined) return outcome === 'passed' ? `ok   ${title}\n` : '';
  if (outcome === 'known') return `known ${title}: ${failure.message}\n`;
  return paragraph(`FAIL ${title}: ${failure.message}`, failure.replay?.curl, requestIdOf(failure));
}

/** The failures by cause, each with the titles of its checks and a paragraph that describes it. */
function findingsOf(results: readonly Result[]): { finding: string; text: string }[] {
  const failed = results.flatMap(({ check, outcome, failure }) =>
    outcome === 'failed' && failure ? [{ title: titleOf(check), failure }] : [],
  );
  const byFinding = Map.groupBy(failed, ({ failure }) => failure.finding);
  return Array.from(byFinding, ([finding, [first, ...others]]) => {
    const count = others.length === 0 ? '1 check' : `${others.length + 1} checks`;
    const { replay } = first?.failure ?? {};
    const titles = [first, ...others].map((one) => `- ${one?.title}`);
    const id = first && requestIdOf(first.failure);
    return {
      finding,
      text: paragraph(`Finding: ${finding} (${count})`, replay?.curl, replay?.received, id, ...titles),
    };
  });
}

/** As in `32 passed, 3 failed (1 finding), 2 known, 4 not run`. */
export function countsOf(results: readonly Result[]): string {
  const count = (wanted: Result['outcome']) => results.filter(({ outcome }) => outcome === wanted).length;
  const { length } = findingsOf(results);
  const findings = length === 0 ? '' : ` (${length} ${length === 1 ? 'finding' : 'findings'})`;
  const others = (['known', 'not run'] as const).map((outcome) => [count(outcome), outcome] as const);
  const rest = others.filter(([some]) => some > 0).map(([some, outcome]) => `, ${some} ${outcome}`);
  return `${count('passed')} passed, ${count('failed')} failed${findings}${rest.join('')}`;
}

/** The failures by cause, and the counts. */
export function describeEnd(results: readonly Result[]): string {
  const findings = findingsOf(results).map(({ text }) => `\n${text}`);
  return `${findings.join('')}${findings.length > 0 ? '\n' : ''}${countsOf(results)}\n`;
}

/** An annotation of GitHub Actions for each finding. GitHub shows ten for a step. */
export function annotationsOf(results: readonly Result[]): string {
  const lines = findingsOf(results).map(({ finding, text }) => {
    // A property ends at a comma or a colon, and a message at a line break.
    const title = escapeData(finding).replaceAll(':', '%3A').replaceAll(',', '%2C');
    return `::error title=${title}::${escapeData(text.trimEnd())}\n`;
  });
  return lines.join('');
}

const escapeData = (text: string) => text.replaceAll('%', '%25').replaceAll('\n', '%0A');

export const requestIdOf = ({ replay }: Failure) => replay?.requestId && `request id ${replay.requestId}`;

const paragraph = (...lines: (string | undefined)[]): string =>
  `${lines.filter((line) => line !== undefined).join('\n     ')}\n`;
