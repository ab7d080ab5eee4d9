import { type ErrorCode, errorCodes } from '@petstore/contract';
import type { Context } from '../../context.ts';
import type { RequestSummary } from '../request-summary.ts';
import { DeprecatedUse } from './deprecated-use.ts';
import { Histogram } from './histogram.ts';
import { counter, histogram, type Metric, readAll } from './metric.ts';
import { processMetrics } from './process-metrics.ts';
import { RequestDurations } from './request-durations.ts';
import { serviceMetrics } from './service-metrics.ts';
import type { ProcessSnapshot } from './snapshot.ts';

/** How often is measured how late a timer fires. */
const LOOP_INTERVAL_MS = 50;

/**
 * The metrics of this process. What happens often is counted in plain numbers, here or in the part where it happens,
 * and read when the metrics are: a request pays for one histogram.
 */
export class Metrics {
  readonly #durations = new RequestDurations();
  readonly #errors = new Map<string, number>(Object.keys(errorCodes).map((code) => [code, 0]));
  readonly #deprecated = new DeprecatedUse();
  readonly #batchSizes = new Histogram([1, 2, 5, 10, 20, 50, 100, 200, 500]);
  readonly #commitSeconds = new Histogram([
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  ]);
  readonly #loopDelays = new Histogram([0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]);
  readonly #metrics: Metric[];

  constructor() {
    this.#metrics = [...this.#ownMetrics(), ...processMetrics()];
    this.#measureLoop();
  }

  /** Adds the metrics of the parts of the service. */
  watch(context: Context, log: { readonly droppedCount: number }): void {
    this.#metrics.push(...serviceMetrics(context, log));
  }

  /** Counts a request that has ended, whichever way. */
  observeRequest({ method, route, status, durationMs, error, isDeprecated, key }: RequestSummary): void {
    this.#durations.observe(method, route, status, durationMs);
    if (error !== undefined) this.#countError(error);
    if (isDeprecated && route !== undefined && key !== undefined) this.#deprecated.count(route, key);
  }

  /** Counts what was refused before it became a request, and had no time to take. */
  observeRefusal(method: string, { code, status }: { code: ErrorCode; status: number }): void {
    this.#durations.observe(method, undefined, status, 0);
    this.#countError(code);
  }

  /** Counts a batch of creations that was committed or has failed. */
  observeBatch(size: number, durationMs: number): void {
    this.#batchSizes.observe(size);
    this.#commitSeconds.observe(durationMs / 1000);
  }

  /** The values of all metrics now. */
  snapshot(): Promise<ProcessSnapshot> {
    return readAll(this.#metrics);
  }

  #countError(code: ErrorCode): void {
    this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1);
  }

  #ownMetrics(): Metric[] {
    return [
      histogram('http_server_request_duration_seconds', 'Duration of HTTP requests.', this.#durations),
      histogram('petstore_create_batch_size', 'Creations that share a transaction.', this.#batchSizes),
      histogram(
        'petstore_create_commit_duration_seconds',
        'How long the transaction of a batch of creations takes, with its commit and its attempts.',
        this.#commitSeconds,
      ),
      histogram(
        'petstore_event_loop_delay_seconds',
        `How late a timer fires that is due every ${LOOP_INTERVAL_MS} ms: for that long the event loop was busy.`,
        this.#loopDelays,
      ),
      counter(
        'petstore_error_responses_total',
        'Error responses by the code in their body; overloaded requests were shed.',
        () => Array.from(this.#errors, ([code, value]) => ({ labels: { code }, value })),
      ),
      counter(
        'petstore_deprecated_requests_total',
        'Requests to deprecated operations by the name of the API key.',
        () =>
          this.#deprecated
            .read()
            .map(({ route, key, count }) => ({ labels: { http_route: route, key }, value: count })),
      ),
    ];
  }

  /** Node's histogram (`perf_hooks.monitorEventLoopDelay`) has percentiles, which cannot be aggregated over processes. */
  #measureLoop(): void {
    let due = performance.now() + LOOP_INTERVAL_MS;
    setInterval(() => {
      const now = performance.now();
      this.#loopDelays.observe(Math.max(0, now - due) / 1000);
      due = now + LOOP_INTERVAL_MS;
    }, LOOP_INTERVAL_MS).unref();
  }
}
