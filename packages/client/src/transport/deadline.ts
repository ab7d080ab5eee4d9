interface Deadline {
  signal: AbortSignal;
  /** Removes the timer and the listener, once the work is done. */
  release(): void;
}

// A longer timer fires at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns a signal that aborts after some milliseconds, or together with `outer`. The longest time is 24.8 days.
 * The timer of `AbortSignal.timeout(ms)` cannot be cleared, and its reason does not name the time.
 */
export function startDeadline(milliseconds: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const follow = () => controller.abort(outer?.reason);
  const expire = () =>
    controller.abort(new DOMException(`timed out after ${milliseconds} ms`, 'TimeoutError'));
  if (outer?.aborted) follow();
  outer?.addEventListener('abort', follow);
  const timer = setTimeout(expire, Math.min(milliseconds, MAX_TIMER_MS));
  return {
    signal,
    release() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', follow);
    },
  };
}

/**
 * Throws the signal's reason as soon as the signal aborts. The listener stays on the signal, so pass the signal of a
 * deadline, which does not outlive its call.
 */
export async function unlessAborted<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  if (signal.aborted) throw signal.reason;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  return Promise.race([work(), aborted]);
}

/** Waits some milliseconds, or until the signal aborts. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { signal: deadline, release } = startDeadline(milliseconds, signal);
  if (!deadline.aborted) await new Promise((resolve) => deadline.addEventListener('abort', resolve));
  release();
}
