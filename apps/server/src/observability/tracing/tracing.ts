import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { RequestContext } from '../../http/pipeline.ts';
import { version } from '../../version.ts';
import type { RequestSummary } from '../request-summary.ts';
import type { RequestSpan, Tracing } from './spans.ts';
import { createDatabaseTracer } from './trace-database.ts';

/** How long the end of the service waits for the last spans to be exported. */
const SHUTDOWN_MS = 2_000;

const MAX_PATH = 256;

/** What work that is traced becomes a part of. */
interface Scope {
  span: Span;
  request: RequestTrace;
}

/**
 * Traces requests with OpenTelemetry, and exports the spans in OTLP over HTTP as JSON, which collectors take at the
 * same address as Protobuf. The instrumentations of OpenTelemetry would patch Node's modules, and do not know the
 * queue or the pipeline.
 *
 * The exporter and the resource read their own standard variables: `OTEL_EXPORTER_OTLP_…`, `OTEL_RESOURCE_ATTRIBUTES`.
 */
export function createTracing(config: Config, logger: Logger): Tracing {
  diag.setLogger(
    {
      error: (message) => logger.warn(`Spans: ${message}`),
      warn: () => {},
      info: () => {},
      debug: () => {},
      verbose: () => {},
    },
    DiagLogLevel.ERROR,
  );
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': config.OTEL_SERVICE_NAME, 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(config),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('petstore', version);
  const scopes = new AsyncLocalStorage<Scope>();

  const startChild = (parent: Span, name: string, attributes: Attributes = {}) =>
    tracer.startSpan(name, { attributes }, trace.setSpan(ROOT_CONTEXT, parent));

  /** Runs work in a span of its own, where it is part of a request. */
  async function inSpan<Result>(name: string, attributes: Attributes, work: () => Result | Promise<Result>) {
    const scope = scopes.getStore();
    if (scope === undefined) return work();
    scope.request.endValidation();
    const span = startChild(scope.span, name, attributes);
    try {
      return await work();
    } catch (error) {
      recordError(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  function startRequest(request: RequestContext): RequestSpan {
    const span = tracer.startSpan(
      nameOf(request),
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': request.req.method,
          'url.path': request.path.slice(0, MAX_PATH),
          'url.scheme': 'http',
          'network.protocol.version': request.req.httpVersion,
        },
      },
      withCaller(request),
    );
    const requestTrace = new RequestTrace(span, (name) => startChild(span, name));
    return Object.assign(requestTrace, {
      run: (work: () => void) => scopes.run({ span, request: requestTrace }, work),
    });
  }

  return {
    startRequest,
    startQueueing() {
      const scope = scopes.getStore();
      if (scope === undefined) return undefined;
      const { request } = scope;
      request.endValidation();
      const queueing = startChild(scope.span, 'queue');
      return {
        startCommit(batchSize) {
          // A creation whose batch has failed is committed once more, alone.
          if (queueing.isRecording()) queueing.end();
          const span = startChild(scope.span, 'commit', { 'petstore.create.batch_size': batchSize });
          return { run: (work) => scopes.run({ span, request }, work), end: () => span.end() };
        },
      };
    },
    traceDatabase: createDatabaseTracer(inSpan, config.DATABASE_URL.engine),
    async [Symbol.asyncDispose]() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, SHUTDOWN_MS);
      await Promise.race([provider.shutdown(), promise]);
      clearTimeout(timer);
    },
  };
}

class RequestTrace {
  readonly context;
  readonly #span: Span;
  readonly #startChild: (name: string) => Span;
  #validation: Span | undefined;

  constructor(span: Span, startChild: (name: string) => Span) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.context = { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
    this.#span = span;
    this.#startChild = startChild;
  }

  startValidation(): void {
    this.#validation = this.#startChild('validation');
  }

  endValidation(): void {
    this.#validation?.end();
    this.#validation = undefined;
  }

  end({ status, route, error }: RequestSummary): void {
    this.endValidation();
    const span = this.#span;
    span.setAttribute('http.response.status_code', status);
    if (route !== undefined) span.setAttribute('http.route', route);
    if (status >= 500) {
      span.setAttribute('error.type', error ?? String(status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }
}

const nameOf = ({ req, routeTemplate }: RequestContext) =>
  routeTemplate === undefined ? `${req.method}` : `${req.method} ${routeTemplate}`;

/** The context in which the caller's span is the parent. */
function withCaller({ trace: caller }: RequestContext) {
  if (caller === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = caller;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function recordError(span: Span, error: unknown): void {
  span.recordException(error instanceof Error ? error : String(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The standard samplers (OpenTelemetry specification, environment variables). */
function createSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Config): Sampler {
  const [, parentBased, kind] = /^(parentbased_)?(.*)$/.exec(name) ?? [];
  const root =
    kind === 'traceidratio'
      ? new TraceIdRatioBasedSampler(ratio)
      : kind === 'always_off'
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler();
  return parentBased ? new ParentBasedSampler({ root }) : root;
}
