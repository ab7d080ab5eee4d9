import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats an attempt while it fails with an error for which `when` holds, for `forMs` after the first failure. Pauses
 * are random, at most `pauseMs`, so that two callers in conflict separate.
 */
export async function retry<Result>(
  attempt: () => Result | Promise<Result>,
  options: { when: (error: unknown) => boolean; forMs: number; pauseMs: number },
): Promise<Result> {
  let deadline: number | undefined;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      deadline ??= performance.now() + options.forMs;
      if (!options.when(error) || performance.now() > deadline) throw error;
      await sleep(options.pauseMs * Math.random());
    }
  }
}
