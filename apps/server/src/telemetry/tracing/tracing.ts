import { AsyncLocalStorage } from 'node:async_hooks';
import { type Attributes, DiagLogLevel, diag, type Span, SpanStatusCode } from '@opentelemetry/api';
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
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
import { RequestTrace, type Scope, type TracedRequest } from './request-trace.ts';

/** How long the end of the service waits for the last spans to be exported. */
const SHUTDOWN_MS = 2_000;

/** How long what is stopped after the spans may take: longer than the log takes. */
const LOG_CLOSE_MS = 1_500;

interface TracingOptions {
  serviceName: string;
  serviceVersion: string;
  /** A standard sampler (OpenTelemetry specification, environment variables), such as `parentbased_always_on`. */
  sampler: string;
  /** Share of the requests, for the samplers that take one. */
  samplerRatio: number;
  /** How long spans are collected before they are exported together. */
  exportDelayMs: number;
  /** Headers of each export: `<name>=<value>` between commas, percent-encoded. Of two with a name the last counts. */
  exportHeaders: string;
}

export type Tracing = ReturnType<typeof createTracing>;

/**
 * Traces requests with OpenTelemetry, and exports the spans in OTLP over HTTP as JSON, which collectors take at the
 * same address as Protobuf. The instrumentations of OpenTelemetry would patch Node's modules, and do not know the
 * queue or the pipeline. Nothing of this is loaded unless spans are exported.
 */
export function createTracing(options: TracingOptions, logger: Logger) {
  logFailures(logger);
  const provider = createProvider(options);
  const tracer = provider.getTracer(options.serviceName, options.serviceVersion);
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
    startRequest: (request: TracedRequest) => new RequestTrace(request, tracer, scopes),
    /** Starts the span of a creation in the queue, as a child of the request that runs. */
    startQueueing: () => scopes.getStore()?.request.startQueueing(),
    inSpan,
    [Symbol.asyncDispose]: () => shutDown(provider, logger),
  };
}

/**
 * The exporter and the resource read variables too: `OTEL_EXPORTER_OTLP_…` and `OTEL_RESOURCE_ATTRIBUTES`. Headers are
 * given to the exporter, because they may come from a file.
 */
function createProvider(options: TracingOptions): TracerProvider {
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ headers: parseKeyPairsIntoRecord(options.exportHeaders) }),
    scheduledDelayMillis: options.exportDelayMs,
  });
  const attributes = { 'service.name': options.serviceName, 'service.version': options.serviceVersion };
  return new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(attributes))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(options),
    spanProcessors: [processor],
  });
}

function createSampler({ sampler: name, samplerRatio: ratio }: TracingOptions): Sampler {
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
