import type { Check } from './check.ts';
import { checks as everyCheck } from './checks/index.ts';
import { Nonconformity } from './nonconformity.ts';
import type { Target } from './target.ts';

/** What came of one check. */
export interface Result {
  check: Check;
  passed: boolean;
  milliseconds: number;
  /** Why it failed. */
  error?: Error;
}

export interface RunOptions {
  /** Which checks to run; all of them unless given. */
  checks?: readonly Check[];
  /** Only those that leave the store as it is. */
  readOnly?: boolean;
  /** Milliseconds that one check may take: 60 s unless given. */
  timeLimit?: number;
}

/** Runs checks one after another and yields each result as it comes. A failed check does not throw. */
export async function* runChecks(
  target: Target,
  { checks = everyCheck, readOnly = false, timeLimit = 60_000 }: RunOptions = {},
): AsyncGenerator<Result, void> {
  for (const check of checks) {
    if (!readOnly || check.readOnly) yield await runCheck(check, target, timeLimit);
  }
}

async function runCheck(check: Check, target: Target, timeLimit: number): Promise<Result> {
  const start = performance.now();
  const elapsed = () => Math.round(performance.now() - start);
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new Nonconformity(`took more than ${timeLimit} ms`)),
    timeLimit,
  );
  try {
    await Promise.race([check.run(until(deadline.signal, target)), rejection(deadline.signal)]);
    return { check, passed: true, milliseconds: elapsed() };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { check, passed: false, milliseconds: elapsed(), error };
  } finally {
    clearTimeout(timer);
  }
}

/** The target until the signal: a check that ran out of time sends nothing more. */
function until(signal: AbortSignal, target: Target): Target {
  return {
    ...target,
    fetch: async (url, init) => {
      signal.throwIfAborted();
      return target.fetch(url, init);
    },
  };
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
