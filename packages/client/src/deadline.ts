interface Deadline {
  signal: AbortSignal;
  /** Call it when the work is done, so that neither a timer nor a listener stays behind. */
  release(): void;
}

/** A signal that aborts after some milliseconds, or together with `outer`. `Infinity` is no limit. */
export function startDeadline(milliseconds: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const follow = () => controller.abort(outer?.reason);
  const expire = () =>
    controller.abort(new DOMException(`Took longer than ${milliseconds} ms`, 'TimeoutError'));
  if (outer?.aborted) follow();
  outer?.addEventListener('abort', follow);
  const timer = setTimeout(expire, Math.min(milliseconds, LONGEST_TIMER));
  return {
    signal,
    release() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', follow);
    },
  };
}

// Beyond, a timer goes off at once.
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Does some work, but waits for it no longer than until the signal aborts: then it throws its reason. The
 * signal is a deadline's own: what listens to it goes when the deadline does.
 */
export async function until<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  return Promise.race([work(), aborted]);
}

/** Waits some milliseconds, or less when the signal aborts before. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  const over = startDeadline(milliseconds, signal);
  await until(over.signal, () => new Promise(() => {})).catch(() => {});
  over.release();
}
