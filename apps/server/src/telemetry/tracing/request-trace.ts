import type { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { MeasuredRequest } from '../metrics/request-metrics.ts';

/** Identifies a span (W3C Trace Context, 3.2). */
interface SpanIdentity {
  traceId: string;
  spanId: string;
  /** Whether the trace is recorded. */
  isSampled: boolean;
}

/** What a span says of a request. */
export interface TracedRequest {
  method: string;
  path: string;
  /** Route template; `undefined` when no route matched. */
  route: string | undefined;
  httpVersion: string;
  /** The span of the caller, if it sent one. */
  parent: SpanIdentity | undefined;
}

/** What work that is traced becomes a part of. */
export interface Scope {
  span: Span;
  request: RequestTrace;
}

const MAX_PATH = 256;

/** Of the 5xx this one says nothing of the service: scanners send methods that it does not have. */
const NOT_IMPLEMENTED = 501;

/** The span of a request, and what its children have in common. */
export class RequestTrace {
  readonly identity: SpanIdentity;
  readonly #span: Span;
  readonly #tracer: Tracer;
  readonly #scopes: AsyncLocalStorage<Scope | undefined>;
  #validation: Span | undefined;

  constructor(request: TracedRequest, tracer: Tracer, scopes: AsyncLocalStorage<Scope | undefined>) {
    this.#span = startServerSpan(tracer, request);
    this.#tracer = tracer;
    this.#scopes = scopes;
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    this.identity = { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
  }

  /** Runs the request: what is traced meanwhile becomes its child. */
  run(work: () => void): void {
    // Without a scope of its own it would be part of the request before it on the connection.
    this.#scopes.run(this.#span.isRecording() ? { span: this.#span, request: this } : undefined, work);
  }

  /** Starts what comes after validation. */
  startChild(name: string, attributes: Attributes = {}, parent = this.#span): Span {
    this.#endValidation();
    return this.#tracer.startSpan(name, { attributes }, trace.setSpan(ROOT_CONTEXT, parent));
  }

  /** Starts the time in the queue of its creation. */
  startQueueing() {
    const queueing = this.startChild('queue');
    return {
      /** Ends the time in the queue, and starts the transaction. */
      startCommit: (attributes: Attributes) => {
        // A creation whose batch has failed is committed once more, alone.
        if (queueing.isRecording()) queueing.end();
        const span = this.startChild('commit', attributes);
        return {
          /** Runs the transaction: its queries become children. */
          run: <Result>(work: () => Promise<Result>) => this.#scopes.run({ span, request: this }, work),
          end: () => span.end(),
        };
      },
    };
  }

  /** From now on the request is being validated, until it is queued, queries or ends. */
  startValidation(): void {
    // A span that was started before the body was read is dropped: it is never ended.
    this.#validation = undefined;
    if (this.#span.isRecording()) this.#validation = this.startChild('validation');
  }

  /** Ends the span. A route that was found late, and the code of an error, become attributes. */
  end({ status, route, error }: Pick<MeasuredRequest, 'status' | 'route' | 'error'>): void {
    this.#endValidation();
    const span = this.#span;
    span.setAttribute('http.response.status_code', status);
    if (route !== undefined) span.setAttribute('http.route', route);
    if (status >= 500 && status !== NOT_IMPLEMENTED) {
      span.setAttribute('error.type', error ?? String(status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }

  #endValidation(): void {
    this.#validation?.end();
    this.#validation = undefined;
  }
}

/** Starts a span as the semantic conventions describe an HTTP server's. */
function startServerSpan(tracer: Tracer, { method, path, route, httpVersion, parent }: TracedRequest): Span {
  const attributes = {
    'http.request.method': method,
    'url.path': path.slice(0, MAX_PATH),
    'url.scheme': 'http',
    'network.protocol.version': httpVersion,
  };
  const name = route === undefined ? method : `${method} ${route}`;
  return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, contextOf(parent));
}

/** The context in which the caller's span is the parent. */
function contextOf(caller: SpanIdentity | undefined) {
  if (caller === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = caller;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
