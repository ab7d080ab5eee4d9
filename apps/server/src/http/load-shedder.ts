import type { IncomingMessage } from 'node:http';
import { stringifyJson } from '@petstore/contract';
import type { Logger } from 'pino';
import type { Answer } from './answer.ts';
import { HttpError } from './http-error.ts';

const error = new HttpError('overloaded');
const body = stringifyJson(error.toBody());
const headers = {
  'Content-Type': 'application/json',
  'Content-Length': Buffer.byteLength(body),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  ...error.headers,
};

/** Who asks whether the process lives is not to be told that it has much to do. */
const PROBES = ['/livez', '/readyz'];

const REPORT_INTERVAL_MS = 1_000;

/**
 * Turns surplus requests away early, with 503, so that those taken keep their latency; before the app, so
 * that turning away costs little. The event loop takes what has arrived in turns: a request that is looked
 * at late in a long turn has waited since the turn began, and so long will the next ones.
 */
export class LoadShedder {
  readonly #maxDelayMs: number;
  readonly #logger: Logger;
  #turnStart: number | undefined;
  #refused = 0;

  /** @param maxDelayMs how long a turn may have lasted when a request is looked at */
  constructor(maxDelayMs: number, logger: Logger) {
    this.#maxDelayMs = maxDelayMs;
    this.#logger = logger;
  }

  /** Refuses a request when too many are there, and says whether it did. The log has a line a second of it. */
  refuses(req: IncomingMessage, res: Answer): boolean {
    const now = performance.now();
    if (this.#turnStart === undefined) {
      this.#turnStart = now;
      setImmediate(() => {
        this.#turnStart = undefined;
      });
    }
    if (now - this.#turnStart <= this.#maxDelayMs || PROBES.includes(req.url ?? '')) return false;
    res.writeHead(error.status, { ...headers, 'X-Request-Id': res.locals.requestId }).end(body);
    this.#count();
    return true;
  }

  /** Cuts the connection of a caller who sends more than it takes. */
  cut({ socket }: IncomingMessage): void {
    socket.destroy();
    this.#count();
  }

  #count(): void {
    if (this.#refused === 0) setTimeout(() => this.#report(), REPORT_INTERVAL_MS).unref();
    this.#refused += 1;
  }

  #report() {
    this.#logger.warn(
      { refused: this.#refused, withinMs: REPORT_INTERVAL_MS },
      'More requests arrive than can be served',
    );
    this.#refused = 0;
  }
}
