import { setTimeout as sleep } from 'node:timers/promises';

/** Requests in flight at the start: it doubles with each round of responses until the service slows down. */
const START = 8;
/** A slow-down of several requests within this time counts once. */
const MIN_PAUSE_MS = 100;

/**
 * How many requests are in flight, adapted to the service like a TCP connection to its network: one more with
 * each round of responses, half of them when the service slows down (429, 503, no response).
 */
export class Concurrency {
  #limit: number;
  #inFlight = 0;
  #isProbing = true;
  #pausedUntil = 0;
  #wake: () => void = () => {};
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
    this.#limit = Math.min(START, max);
  }

  /** Waits until another request may be sent. For one caller at a time. */
  async acquire(signal: AbortSignal): Promise<void> {
    for (;;) {
      const pauseMs = this.#pausedUntil - performance.now();
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {});
      else if (this.#inFlight >= Math.floor(this.#limit)) await this.#released();
      else break;
      if (signal.aborted) return;
    }
    this.#inFlight += 1;
  }

  /** Waits for the end of a request. The signal need not end it: what is in flight is waited for in any case. */
  #released(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  /** Ends a request. */
  release(): void {
    this.#inFlight -= 1;
    const growth = this.#isProbing ? 1 : 1 / this.#limit;
    this.#limit = Math.min(this.#max, this.#limit + growth);
    this.#wake();
  }

  /** Halves the limit, and sends nothing new for a while. */
  slowDown(delayMs: number): void {
    const now = performance.now();
    if (now < this.#pausedUntil) return;
    this.#isProbing = false;
    this.#limit = Math.max(1, this.#limit / 2);
    this.#pausedUntil = now + Math.max(MIN_PAUSE_MS, delayMs);
  }
}
