import { type Check, titleOf } from '../check.ts';
import { ConformanceError, NoResponseError, oneLine, type Replay } from '../http/conformance-error.ts';
import type { Target } from '../http/target.ts';
import { sendProbe } from './probe-target.ts';

export interface Failure {
  /** One line: the expected and the actual response. */
  message: string;
  /** The part of the message that all failures of one cause share. */
  finding: string;
  /** Absent if no single request shows the failure. */
  replay?: Replay;
}

/** The outcome of a check. A known failure does not fail the run. */
export interface Result {
  check: Check;
  outcome: 'passed' | 'failed' | 'known' | 'not run';
  failure?: Failure | undefined;
  seconds: number;
}

interface Options {
  /** The titles of checks that are known to fail. */
  known: ReadonlySet<string>;
  /** How long one check may take, in seconds. */
  timeLimit: number;
  /** Gets each result at once. */
  report: (result: Result) => void;
}

/** Runs checks one after another. @returns the results, and why the remaining checks make no sense, if they do not */
export async function runChecks(target: Target, checks: readonly Check[], options: Options) {
  const { known, timeLimit, report } = options;
  const results: Result[] = [];
  let interruption: string | undefined;
  for (const check of checks) {
    const start = performance.now();
    const isRun = interruption === undefined;
    const found = isRun ? await findFailure(check, target, timeLimit) : undefined;
    const isKnown = known.has(titleOf(check));
    const failure = found ?? (isRun && isKnown ? REPAIRED : undefined);
    const outcome = !isRun ? 'not run' : !failure ? 'passed' : found && isKnown ? 'known' : 'failed';
    const result = { check, outcome, failure, seconds: (performance.now() - start) / 1_000 } as const;
    results.push(result);
    report(result);
    const probe = found && (await sendProbe(target));
    if (probe instanceof NoResponseError) {
      interruption = `The target stopped responding during the check "${check.name}": ${probe.message}`;
    }
  }
  return { results, interruption };
}

const failureOf = (finding: string, rest = ''): Failure => ({ message: finding + rest, finding });

const REPAIRED = failureOf('expected a known failure', ', but the check passed: remove its line');

async function findFailure(check: Check, target: Target, timeLimit: number): Promise<Failure | undefined> {
  const signal = AbortSignal.timeout(timeLimit * 1_000);
  try {
    await check.run({ ...target, signal });
  } catch (error) {
    if (signal.aborted) return failureOf(`expected the check to end within ${timeLimit} s`);
    return error instanceof ConformanceError ? error : failureOf(oneLine(`${error}`));
  }
}
