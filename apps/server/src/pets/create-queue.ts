import { Batcher } from '../database/batcher.ts';
import type { Database } from '../database/database.ts';
import { type CreateRequest, type Creation, createPets } from './create-pets.ts';

/** Pets in one transaction at most. */
const MAX_BATCH = 500;

/** The span of a request in the queue, where spans are exported. */
interface QueueSpan {
  /** Ends the time in the queue, and starts the transaction. */
  startCommit(attributes: Record<string, number>): {
    /** Runs the transaction: its queries become children. */
    run<Result>(work: () => Promise<Result>): Promise<Result>;
    end(): void;
  };
}

interface Queued {
  request: CreateRequest;
  span: QueueSpan | undefined;
}

interface CreateQueueOptions {
  /** Requests that may wait for their commit; further ones are `overloaded`. */
  maxWaiting: number;
  /** Called when a batch was committed or has failed. */
  onBatch?: ((size: number, durationMs: number) => void) | undefined;
  /** Starts the span of the request that runs. */
  startSpan?: (() => QueueSpan | undefined) | undefined;
}

/** Group commit: requests that arrive together are committed together, with one fsync, and resolve after it. */
export class CreateQueue {
  readonly #database: Database;
  readonly #options: CreateQueueOptions;
  readonly #batcher: Batcher<Queued, Creation>;

  constructor(database: Database, options: CreateQueueOptions) {
    this.#database = database;
    this.#options = options;
    this.#batcher = new Batcher((batch) => this.#createBatch(batch), {
      maxSize: MAX_BATCH,
      maxConcurrent: database.maxConcurrentAppends,
      isolates: (error) => database.classify(error) === undefined,
    });
  }

  /** Requests that wait for their transaction. */
  get waitingCount(): number {
    return this.#batcher.waitingCount;
  }

  /**
   * Adds a pet, exactly once when the request carries an Idempotency-Key.
   *
   * @returns the outcome, once it is durable
   */
  create(request: CreateRequest): Promise<Creation | { outcome: 'overloaded' }> {
    const { maxWaiting, startSpan } = this.#options;
    if (this.#batcher.waitingCount >= maxWaiting) return Promise.resolve({ outcome: 'overloaded' });
    return this.#batcher.add({ request, span: startSpan?.() });
  }

  async #createBatch(batch: readonly Queued[]): Promise<Creation[]> {
    const start = performance.now();
    const commits = batch.flatMap(
      ({ span }) => span?.startCommit({ 'petstore.create.batch_size': batch.length }) ?? [],
    );
    const requests = batch.map(({ request }) => request);
    const create = () => createPets(this.#database, requests);
    try {
      // The queries are the same for all: they are traced as those of the first.
      return await (commits[0]?.run(create) ?? create());
    } finally {
      for (const commit of commits) commit.end();
      this.#options.onBatch?.(batch.length, performance.now() - start);
    }
  }
}
