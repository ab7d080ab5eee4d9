import { HttpError } from '../http/http-error.ts';

/** A database that takes longer to respond to a probe is not ready. */
const READY_MS = 1_000;

interface ReadinessParts {
  isStopping(): boolean;
  /** Fails when the database cannot be used. */
  probe(): Promise<unknown>;
}

export class Readiness {
  readonly #parts: ReadinessParts;
  /** Probe requests need no key, so concurrent ones share one probe of the database. */
  #running: Promise<unknown> | undefined;

  constructor(parts: ReadinessParts) {
    this.#parts = parts;
  }

  /** @throws HttpError `stopping` or `database_unavailable`, or what the probe throws */
  async assert(): Promise<void> {
    if (this.#parts.isStopping()) throw new HttpError('stopping');
    this.#running ??= this.#parts.probe().finally(() => {
      this.#running = undefined;
    });
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new HttpError('database_unavailable')), READY_MS);
    await Promise.race([this.#running, promise]).finally(() => clearTimeout(timer));
  }

  isReady(): Promise<boolean> {
    return this.assert().then(
      () => true,
      () => false,
    );
  }
}
