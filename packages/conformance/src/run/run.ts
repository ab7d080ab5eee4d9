import type { Check } from '../check.ts';
import { checks as everyCheck } from '../checks/index.ts';
import { ConformanceError, NoResponseError } from '../conformance-error.ts';
import { rejectOnAbort } from '../http/send.ts';
import type { Target } from '../target.ts';
import { sendProbe } from './probe-target.ts';
import { RunError } from './run-error.ts';

/** The outcome of one check. */
export interface Result {
  check: Check;
  passed: boolean;
  milliseconds: number;
  /** Why it failed. */
  error?: Error;
}

export interface RunOptions {
  /**
   * Which checks to run.
   *
   * @default every check of `checks`
   */
  checks?: readonly Check[];
  /**
   * Whether to run only the checks that cannot change the store.
   *
   * @default false
   */
  readOnly?: boolean;
  /**
   * Milliseconds that one check may take.
   *
   * @default 60_000
   */
  timeLimit?: number;
  /**
   * Milliseconds that all checks together may take.
   *
   * @default 900_000
   */
  totalTimeLimit?: number;
}

/**
 * Runs checks one after another and yields each result as it comes. A failed check does not throw.
 *
 * @throws RunError when the target stops responding, which would fail every check that is left, or when the
 *   time is up
 */
export async function* runChecks(
  target: Target,
  { checks = everyCheck, readOnly = false, timeLimit = 60_000, totalTimeLimit = 900_000 }: RunOptions = {},
): AsyncGenerator<Result, void> {
  const end = performance.now() + totalTimeLimit;
  for (const check of checks) {
    if (readOnly && !check.readOnly) continue;
    const timeLeft = end - performance.now();
    if (timeLeft <= 0) throw new RunError(`The checks took more than ${totalTimeLimit / 1000} s`);
    const result = await runCheck(check, target, Math.min(timeLimit, timeLeft));
    yield result;
    if (!result.passed) await expectResponse(target, check);
  }
}

async function expectResponse(target: Target, check: Check): Promise<void> {
  const response = await sendProbe(target);
  if (response instanceof NoResponseError) {
    const message = `The target stopped responding during the check "${check.name}": ${response.message}`;
    throw new RunError(message, { cause: response });
  }
}

async function runCheck(check: Check, target: Target, timeLimit: number): Promise<Result> {
  const start = performance.now();
  const elapsed = () => Math.round(performance.now() - start);
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new ConformanceError(`took more than ${Math.round(timeLimit)} ms`)),
    timeLimit,
  );
  try {
    await Promise.race([check.run(until(deadline.signal, target)), rejectOnAbort(deadline.signal)]);
    return { check, passed: true, milliseconds: elapsed() };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { check, passed: false, milliseconds: elapsed(), error };
  } finally {
    clearTimeout(timer);
  }
}

/** The target until the signal aborts: then the check sends nothing more, and what it has sent is aborted. */
function until(signal: AbortSignal, target: Target): Target {
  return {
    ...target,
    signal,
    fetch: async (url, init) => {
      signal.throwIfAborted();
      const signals = init.signal ? [signal, init.signal] : [signal];
      return target.fetch(url, { ...init, signal: AbortSignal.any(signals) });
    },
  };
}
