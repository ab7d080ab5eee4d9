import type { Logger } from 'pino';
import { HttpError } from '../http/http-error.ts';

/** A database that takes longer to respond to a probe is not ready. */
const READY_MS = 1_000;

/** At most one log line about failed probes in this time. */
const LOG_INTERVAL_MS = 60_000;

export type Readiness = ReturnType<typeof createReadiness>;

/** @param probe fails when the database cannot be used */
export function createReadiness(isStopping: () => boolean, probe: () => Promise<unknown>, logger: Logger) {
  /** Probe requests need no key, so concurrent ones share one probe of the database. */
  let running: Promise<unknown> | undefined;
  let quietUntil = 0;

  /** Load balancers send no requests to a server that is not ready, so no log line of a request would have the reason. */
  function logFailure(err: unknown): never {
    const now = performance.now();
    if (now >= quietUntil && !isStopping()) {
      quietUntil = now + LOG_INTERVAL_MS;
      logger.warn({ err }, 'The readiness probe failed');
    }
    throw err;
  }

  /** @throws HttpError `stopping` or `database_unavailable`, or what the probe throws */
  async function assert(): Promise<void> {
    if (isStopping()) throw new HttpError('stopping');
    running ??= probe()
      .catch(logFailure)
      .finally(() => {
        running = undefined;
      });
    const { promise: timeout, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new HttpError('database_unavailable')), READY_MS);
    await Promise.race([running, timeout]).finally(() => clearTimeout(timer));
  }

  const isReady = () =>
    assert()
      .then(() => true)
      .catch(() => false);
  return { assert, isReady };
}
