import { type Check, titleOf } from './check.ts';
import { ConformanceError, NoResponseError, oneLine, type Replay } from './conformance-error.ts';
import { rejectOnAbort } from './http/send.ts';
import { sendProbe } from './probe-target.ts';
import type { Target } from './target.ts';

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

/** The target does not respond any more, so that the remaining checks make no sense. */
export class StoppedTargetError extends Error {
  override name = 'StoppedTargetError';
}

/**
 * Runs checks one after another.
 * @param known the titles of checks that are known to fail
 * @param timeLimit milliseconds that one check may take
 * @throws StoppedTargetError after the last result
 */
export async function* runChecks(
  target: Target,
  checks: readonly Check[],
  { known, timeLimit }: { known: ReadonlySet<string>; timeLimit: number },
): AsyncGenerator<Result> {
  let interruption: string | undefined;
  for (const check of checks) {
    const start = performance.now();
    const found = interruption === undefined ? await findFailure(check, target, timeLimit) : undefined;
    const isKnown = known.has(titleOf(check));
    const failure = found ?? (isKnown && interruption === undefined ? REPAIRED : undefined);
    const outcome =
      interruption !== undefined ? 'not run' : !failure ? 'passed' : found && isKnown ? 'known' : 'failed';
    yield { check, outcome, failure, seconds: (performance.now() - start) / 1_000 };
    const probe = found && (await sendProbe(target));
    if (probe instanceof NoResponseError) {
      interruption = `The target stopped responding during the check "${check.name}": ${probe.message}`;
    }
  }
  if (interruption !== undefined) throw new StoppedTargetError(interruption);
}

const failureOf = (finding: string, rest = ''): Failure => ({ message: finding + rest, finding });

const REPAIRED = failureOf(
  'expected a known failure',
  ', but the check passed: remove its line from the list',
);

async function findFailure(check: Check, target: Target, timeLimit: number): Promise<Failure | undefined> {
  const signal = AbortSignal.timeout(timeLimit);
  try {
    await Promise.race([check.run({ ...target, signal }), rejectOnAbort(signal)]);
  } catch (error) {
    if (signal.aborted) return failureOf(`expected the check to end within ${timeLimit / 1_000} s`);
    return error instanceof ConformanceError ? error : failureOf(oneLine(`${error}`));
  }
}
