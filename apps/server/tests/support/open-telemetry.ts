/** A module that an operator would preload, except that its spans go to standard output. */
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { RouterInstrumentation } from '@opentelemetry/instrumentation-router';
import { ConsoleSpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
const spanProcessors = [new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })];
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }));
const instrumentations = [new HttpInstrumentation(), new RouterInstrumentation(), new PgInstrumentation()];
registerInstrumentations({ instrumentations });
