import { Histogram } from './histogram.ts';
import type { MetricValue } from './metric.ts';

/** In seconds: those of OpenTelemetry's semantic conventions, and two below, where most of our requests are. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Methods of RFC 9110 and PATCH; any other is one label value, as the semantic conventions say. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);
const OTHER_METHOD = '_OTHER';

/** The route of a request that no route of the service matched: a path is chosen by the caller. */
const UNMATCHED = 'unmatched';

/** The durations of requests, with a histogram for each operation and status. */
export class RequestDurations {
  readonly #series = new Map<string, { labels: MetricValue['labels']; seconds: Histogram }>();

  observe(method: string, route: string | undefined, status: number, durationMs: number): void {
    const key = `${method} ${status} ${route}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      // An unknown method is found under its label: callers must not add keys.
      if (!METHODS.has(method) && method !== OTHER_METHOD) {
        this.observe(OTHER_METHOD, route, status, durationMs);
        return;
      }
      const labels = {
        http_request_method: method,
        http_route: route ?? UNMATCHED,
        http_response_status_code: String(status),
      };
      series = { labels, seconds: new Histogram(BOUNDS) };
      this.#series.set(key, series);
    }
    series.seconds.observe(durationMs / 1000);
  }

  values(name: string): MetricValue[] {
    return Array.from(this.#series.values()).flatMap(({ labels, seconds }) => seconds.values(name, labels));
  }
}
