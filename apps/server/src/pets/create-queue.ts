import { Batcher } from '../database/batcher.ts';
import type { Database } from '../database/database.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { type CreateRequest, type Creation, createPets } from './create-pets.ts';

/** Pets in one transaction at most. */
const MAX_BATCH = 500;

interface Queued {
  request: CreateRequest;
  span: ReturnType<Tracing['startQueueing']>;
}

interface CreateQueueOptions {
  /** Requests that may wait for their commit; further ones are `overloaded`. */
  maxWaiting: number;
  /** Called when a batch was committed or has failed. */
  onBatch?: ((size: number, durationMs: number) => void) | undefined;
  tracing?: Tracing | undefined;
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
      // Transactions run one at a time: with a second one, each would only have half of the requests.
      maxConcurrent: 1,
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
  async create(request: CreateRequest): Promise<Creation | { outcome: 'overloaded' }> {
    const { maxWaiting, tracing } = this.#options;
    if (this.#batcher.waitingCount >= maxWaiting) return { outcome: 'overloaded' };
    return this.#batcher.add({ request, span: tracing?.startQueueing() });
  }

  async #createBatch(batch: readonly Queued[]): Promise<Creation[]> {
    const start = performance.now();
    const commits = batch.flatMap(({ span }) => span?.startCommit(batch.length) ?? []);
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
