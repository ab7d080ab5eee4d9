import type { Logger } from 'pino';

const INTERVAL_MS = 1_000;

/** Logs overload: at most one line a second. */
export class OverloadLog {
  /** Connections that were counted as cut since the start. */
  cutCount = 0;
  readonly #logger: Logger;
  #counts = { refused: 0, cut: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Counts a request that `shedLoad` refused, or a connection that was closed to free memory or for a new one. */
  count(what: 'refused' | 'cut'): void {
    this.#counts[what] += 1;
    if (what === 'cut') this.cutCount += 1;
    this.#timer ??= setTimeout(() => this.#report(), INTERVAL_MS).unref();
  }

  #report(): void {
    this.#logger.warn({ ...this.#counts, withinMs: INTERVAL_MS }, 'More requests arrive than can be served');
    this.#counts = { refused: 0, cut: 0 };
    this.#timer = undefined;
  }
}
