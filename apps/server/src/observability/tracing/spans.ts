import type { Database } from '../../database/database.ts';
import type { RequestContext } from '../../http/pipeline.ts';
import type { RequestSummary } from '../request-summary.ts';
import type { TraceContext } from './trace-context.ts';

/** What the parts of the service tell a tracer. There is none, and nothing of it is loaded, unless spans are exported. */
export interface Tracing extends AsyncDisposable {
  /** Starts the span of a request, as a child of the caller's. */
  startRequest(request: RequestContext): RequestSpan;
  /** Starts the span of a creation in the queue, as a child of the request that runs. */
  startQueueing(): QueueSpan | undefined;
  /** A database with a span for each query of a request. */
  traceDatabase(database: Database): Database;
}

export interface RequestSpan {
  readonly context: TraceContext;
  /** Runs the request: what is traced meanwhile becomes its child. */
  run(work: () => void): void;
  /** From now on the request is being validated, until it is queued, queries or ends. */
  startValidation(): void;
  end(summary: RequestSummary): void;
}

export interface QueueSpan {
  /** Ends the time in the queue, and starts the transaction. */
  startCommit(batchSize: number): CommitSpan;
}

export interface CommitSpan {
  /** Runs the transaction: its queries become children. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  end(): void;
}
