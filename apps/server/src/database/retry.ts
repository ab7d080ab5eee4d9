import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Tries until an attempt succeeds, fails for another reason, or time is up, which begins with the first
 * failure. The pauses between the attempts have a random length, so that two that
 * are in each other's way part.
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
      const now = performance.now();
      deadline ??= now + options.forMs;
      if (!options.when(error) || now > deadline) throw error;
      await sleep(options.pauseMs * Math.random());
    }
  }
}
