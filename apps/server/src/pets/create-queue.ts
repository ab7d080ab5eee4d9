import { Batcher } from '../database/batcher.ts';
import type { Database } from '../database/database.ts';
import { type CreateRequest, type Creation, createPets } from './create-pets.ts';

/** Pets in one transaction at most. */
const MAX_BATCH = 500;

interface CreateQueueOptions {
  /** Requests that may wait for their commit; further ones are `overloaded`. */
  maxWaiting: number;
  /** Called when a batch was committed or has failed. */
  onBatch?: ((size: number, durationMs: number) => void) | undefined;
}

/** Group commit: requests that arrive together are committed together, with one fsync, and resolve after it. */
export class CreateQueue {
  readonly #database: Database;
  readonly #options: CreateQueueOptions;
  readonly #batcher: Batcher<CreateRequest, Creation>;

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
    if (this.#batcher.waitingCount >= this.#options.maxWaiting)
      return Promise.resolve({ outcome: 'overloaded' });
    return this.#batcher.add(request);
  }

  async #createBatch(batch: readonly CreateRequest[]): Promise<Creation[]> {
    const start = performance.now();
    try {
      return await createPets(this.#database, batch);
    } finally {
      this.#options.onBatch?.(batch.length, performance.now() - start);
    }
  }
}
