import type { Check } from '../check.ts';
import { ConformanceError, type Replay } from '../conformance-error.ts';
import type { Result } from './run.ts';

/** Failures that have one cause, as far as the suite can tell: each expected the same. */
export interface Finding {
  /** What was expected, without the values of a request. */
  cause: string;
  /** The checks that failed. */
  checks: Check[];
  /** The request of the first of them, and what came. */
  replay: Replay | undefined;
}

/** Groups the failures among results by their cause, in the order in which they came. */
export function findingsOf(results: readonly Result[]): Finding[] {
  const findings = new Map<string, Finding>();
  for (const { check, error } of results) {
    if (error === undefined) continue;
    const cause = causeOf(error);
    const finding = findings.get(cause) ?? { cause, checks: [], replay: replayOf(error) };
    finding.checks.push(check);
    findings.set(cause, finding);
  }
  return [...findings.values()];
}

/** What failures of one cause have in common. */
export const causeOf = (error: Error): string =>
  error instanceof ConformanceError ? error.finding : error.message;

/** The request that shows a failure, if a single one does. */
export const replayOf = (error?: Error): Replay | undefined =>
  error instanceof ConformanceError ? error.replay : undefined;
