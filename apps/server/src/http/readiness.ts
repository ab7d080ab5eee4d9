import { HttpError } from './http-error.ts';

/** A database that takes longer to respond to a probe is not ready. */
const READY_MS = 1_000;

/** Tells whether the service can serve, its database included. */
export class Readiness {
  readonly #isStopping: () => boolean;
  readonly #probe: () => Promise<void>;
  #running: Promise<void> | undefined;

  /** @param parts.probe fails when the database cannot be used */
  constructor({ isStopping, probe }: { isStopping: () => boolean; probe: () => Promise<void> }) {
    this.#isStopping = isStopping;
    this.#probe = probe;
  }

  /** @throws HttpError `stopping` or `database_unavailable`, or what the probe throws */
  async assert(): Promise<void> {
    if (this.#isStopping()) throw new HttpError('stopping');
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new HttpError('database_unavailable')), READY_MS);
    await Promise.race([this.#probeOnce(), promise]).finally(() => clearTimeout(timer));
  }

  isReady(): Promise<boolean> {
    return this.assert().then(
      () => true,
      () => false,
    );
  }

  /** One probe at a time serves all requests meanwhile, which need no key. */
  #probeOnce(): Promise<void> {
    this.#running ??= this.#probe().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }
}
