import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import type { RequestSummary } from '../http/log-request.ts';
import { SECONDS } from '../telemetry/read-metrics.ts';

/** Methods of RFC 9110 and PATCH; any other is one label value, as the semantic conventions say. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);
const OTHER_METHOD = '_OTHER';

const UNMATCHED = 'unmatched';

/** Clients of each key with a series of their own. A caller could make up any number of clients. */
const MAX_CLIENTS = 10;
const UNKNOWN_CLIENT = 'unknown';
const OTHER_CLIENT = 'other';

export class RequestMetrics {
  readonly #durations: Histogram<'http_request_method' | 'http_route' | 'http_response_status_code'>;
  readonly #errors: Counter<'code'>;
  readonly #ofKeys: Counter<'key' | 'status'>;
  readonly #deprecated: Counter<'http_route' | 'key' | 'client'>;
  /** The clients of each key that have used a deprecated operation. */
  readonly #clients = new Map<string, Set<string>>();

  /** @param errorCodes the codes that have series from the start */
  constructor(registry: Registry, errorCodes: readonly string[]) {
    const registers = [registry];
    this.#durations = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Duration of HTTP requests.',
      labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
      buckets: SECONDS,
      registers,
    });
    this.#errors = new Counter({
      name: 'petstore_error_responses_total',
      help: 'Error responses by the code in their body; overloaded requests were shed.',
      labelNames: ['code'],
      registers,
    });
    for (const code of errorCodes) this.#errors.inc({ code }, 0);
    this.#ofKeys = new Counter({
      name: 'petstore_key_requests_total',
      help: 'Requests by the name of the API key and the class of their status.',
      labelNames: ['key', 'status'],
      registers,
    });
    this.#deprecated = new Counter({
      name: 'petstore_deprecated_requests_total',
      help: 'Requests to deprecated operations by the name of the API key and the client.',
      labelNames: ['http_route', 'key', 'client'],
      registers,
    });
  }

  observe({ method, route, status, durationMs, error, key, isDeprecated, client }: RequestSummary): void {
    const labels = {
      http_request_method: METHODS.has(method) ? method : OTHER_METHOD,
      http_route: route ?? UNMATCHED,
      http_response_status_code: status,
    };
    this.#durations.observe(labels, durationMs / 1000);
    if (error !== undefined) this.#errors.inc({ code: error });
    if (key === undefined) return;
    this.#ofKeys.inc({ key, status: `${Math.trunc(status / 100)}xx` });
    if (isDeprecated && route !== undefined) {
      this.#deprecated.inc({ http_route: route, key, client: this.#labelOf(key, client) });
    }
  }

  #labelOf(key: string, client = UNKNOWN_CLIENT): string {
    const clients = this.#clients.get(key) ?? new Set([UNKNOWN_CLIENT]);
    this.#clients.set(key, clients);
    if (clients.size <= MAX_CLIENTS) clients.add(client);
    return clients.has(client) ? client : OTHER_CLIENT;
  }
}
