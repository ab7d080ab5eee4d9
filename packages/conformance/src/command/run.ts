import { type Check, titleOf } from '../check.ts';
import { ConformanceError, NoResponseError, oneLine, type Replay } from '../http/conformance-error.ts';
import { redact } from '../http/curl.ts';
import type { Target } from '../http/target.ts';
import { findTargetFault } from './probe-target.ts';

/** `replay` is absent if no single request shows the failure. */
export type Failure = Pick<ConformanceError, 'summary' | 'finding'> & { replay?: Replay };

/** How a check ended. A known failure does not fail the run. */
type Ending =
  | { outcome: 'passed' | 'not run'; failure?: undefined }
  | { outcome: 'failed' | 'known'; failure: Failure };

export type Result = Ending & { check: Check; seconds: number };

interface Options {
  /** The titles of checks that are known to fail. */
  known: ReadonlySet<string>;
  /** How long one check may take, in seconds. */
  timeLimit: number;
  /** Gets each result at once. */
  report: (result: Result) => void;
}

/** After a failed check, the run waits this long for a server that restarts or refuses requests for a moment. */
const RESTART_SECONDS = 3;

/** Runs checks one after another. @returns the results, and why the run stopped early, if it did */
export async function runChecks(target: Target, checks: readonly Check[], options: Options) {
  const results: Result[] = [];
  const limits = { wait: RESTART_SECONDS, timeLimit: options.timeLimit };
  let interruption: string | undefined;
  for (const check of checks) {
    const start = performance.now();
    const ending: Ending =
      interruption === undefined ? await runCheck(target, check, options) : { outcome: 'not run' };
    const result = { check, ...ending, seconds: (performance.now() - start) / 1_000 };
    results.push(result);
    options.report(result);
    const fault = ending.failure && (await findTargetFault(target, limits));
    if (fault !== undefined) interruption = `Stopped after the check "${check.name}": ${fault}`;
  }
  return { results, interruption };
}

async function runCheck(target: Target, check: Check, { known, timeLimit }: Options): Promise<Ending> {
  const isKnown = known.has(titleOf(check));
  const failure = await findFailure(check, target, timeLimit);
  if (failure !== undefined) return { outcome: isKnown ? 'known' : 'failed', failure };
  return isKnown ? { outcome: 'failed', failure: UNEXPECTED_PASS } : { outcome: 'passed' };
}

const failureOf = (finding: string): Failure => ({ summary: finding, finding });

const UNEXPECTED_PASS = failureOf('expected a known failure, but the check passed: remove it from the file');

async function findFailure(check: Check, target: Target, timeLimit: number): Promise<Failure | undefined> {
  const signal = AbortSignal.timeout(timeLimit * 1_000);
  try {
    await check.run({ ...target, signal });
  } catch (error) {
    // A request that is aborted fails without a response.
    const isCut = signal.aborted && error instanceof NoResponseError;
    if (error instanceof ConformanceError && !isCut) return error;
    if (signal.aborted) return failureOf(`expected the check to end within ${timeLimit} s`);
    return failureOf(redact(target, oneLine(`${error}`)));
  }
}
