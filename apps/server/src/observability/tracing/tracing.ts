import { AsyncLocalStorage } from 'node:async_hooks';
import { type Attributes, DiagLogLevel, diag, type Span, SpanStatusCode } from '@opentelemetry/api';
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
import type { Database } from '../../database/database.ts';
import type { RequestContext } from '../../http/pipeline.ts';
import { version } from '../../version.ts';
import { RequestTrace, type Scope } from './request-trace.ts';
import { traceDatabase } from './trace-database.ts';

/** How long the end of the service waits for the last spans to be exported. */
const SHUTDOWN_MS = 2_000;

/** How long what is stopped after the spans may take: longer than the log takes. */
const LOG_CLOSE_MS = 1_500;

export type Tracing = ReturnType<typeof createTracing>;

/**
 * Traces requests with OpenTelemetry, and exports the spans in OTLP over HTTP as JSON, which collectors take at the
 * same address as Protobuf. The instrumentations of OpenTelemetry would patch Node's modules, and do not know the
 * queue or the pipeline. Nothing of this is loaded unless spans are exported.
 */
export function createTracing(config: Config, logger: Logger) {
  logFailures(logger);
  const provider = createProvider(config);
  const tracer = provider.getTracer('petstore', version);
  const scopes = new AsyncLocalStorage<Scope | undefined>();

  /** Runs work in a span of its own, where it is part of a request. */
  async function inSpan<Result>(name: string, attributes: Attributes, work: () => Result | Promise<Result>) {
    const scope = scopes.getStore();
    if (scope === undefined) return work();
    const span = scope.request.startChild(name, attributes, scope.span);
    try {
      return await work();
    } catch (error) {
      recordError(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    /** Starts the span of a request, as a child of the caller's. */
    startRequest: (request: RequestContext) => new RequestTrace(request, tracer, scopes),
    /** Starts the span of a creation in the queue, as a child of the request that runs. */
    startQueueing: () => scopes.getStore()?.request.startQueueing(),
    /** A database with a span for each query of a request. */
    traceDatabase: (database: Database) => traceDatabase(database, config.DATABASE_URL.engine, inSpan),
    [Symbol.asyncDispose]: () => shutDown(provider, logger),
  };
}

/** The exporter and the resource read variables too: `OTEL_EXPORTER_OTLP_…` and `OTEL_RESOURCE_ATTRIBUTES`. */
function createProvider(config: Config): TracerProvider {
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(),
    scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
  });
  const attributes = { 'service.name': config.OTEL_SERVICE_NAME, 'service.version': version };
  return new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(attributes))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(config),
    spanProcessors: [processor],
  });
}

/** The standard samplers (OpenTelemetry specification, environment variables). */
function createSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Config): Sampler {
  const [, parentBased, kind] = /^(parentbased_)?(.*)$/.exec(name) ?? [];
  const samplers: Record<string, Sampler> = {
    always_on: new AlwaysOnSampler(),
    always_off: new AlwaysOffSampler(),
    traceidratio: new TraceIdRatioBasedSampler(ratio),
  };
  const root = samplers[kind ?? ''] ?? new AlwaysOnSampler();
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

/** Logs what OpenTelemetry cannot do, for example reach the collector. */
function logFailures(logger: Logger): void {
  const ignore = () => {};
  const error = (message: string) => logger.warn(`Spans: ${message}`);
  diag.setLogger({ error, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
}

function recordError(span: Span, error: unknown): void {
  span.recordException(error instanceof Error ? error : String(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Exports the last spans, for a moment. Whatever the collector does, the service ends as it would without one. */
async function shutDown(provider: TracerProvider, logger: Logger): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, SHUTDOWN_MS);
  const ended = provider.shutdown().catch((error: unknown) => {
    logger.warn({ err: error }, 'The last spans could not be exported');
  });
  await Promise.race([ended, promise]);
  clearTimeout(timer);
  // While a collector is away the exporter tries again for ten seconds, which nothing ends but the process.
  setTimeout(() => process.exit(), LOG_CLOSE_MS).unref();
}
