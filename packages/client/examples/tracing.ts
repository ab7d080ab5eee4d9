/**
 * One trace from an app through the client into the service, with OpenTelemetry:
 *
 *   PETSTORE_BASE_URL=http://127.0.0.1:3000/v1 PETSTORE_API_KEY=pst_… \
 *     OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 node examples/tracing.ts
 */
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createPetStore } from '@petstore/client';

// An app that is traced has this already.
const exporter = new OTLPTraceExporter();
const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
trace.setGlobalTracerProvider(provider);
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

const { PETSTORE_BASE_URL: baseUrl = '', PETSTORE_API_KEY: apiKey = '' } = process.env;
const store = createPetStore({
  baseUrl,
  apiKey,
  // Each request, retries included, tells the service which span it belongs to.
  onRequest: ({ headers }) =>
    propagation.inject(context.active(), headers, {
      set: (carrier, name, value) => carrier.set(name, value),
    }),
});

const tracer = trace.getTracer('example');
await tracer.startActiveSpan('add a pet', { kind: SpanKind.CLIENT }, async (span) => {
  const pet = await store.createPet({ name: 'Ñandú', categoryId: 7 });
  console.log(`${span.spanContext().traceId} ${pet.id}`);
  span.end();
});
await provider.shutdown();
