import { Batcher } from '../database/batcher.ts';
import type { Database } from '../database/database.ts';
import { type CreateRequest, type Creation, createPets } from './create-pets.ts';

/** Pets in one transaction at most. */
const MAX_BATCH = 500;

/** Group commit: requests that arrive together are committed together, with one fsync, and resolve after it. */
export class CreateQueue {
  readonly #batcher: Batcher<CreateRequest, Creation>;
  readonly #maxWaiting: number;

  /**
   * @param options.maxWaiting requests that may wait for their commit; further ones are `overloaded`
   * @param options.onBatch called when a batch was committed or has failed
   */
  constructor(
    database: Database,
    options: { maxWaiting: number; onBatch?: ((size: number, durationMs: number) => void) | undefined },
  ) {
    const { maxWaiting, onBatch } = options;
    this.#maxWaiting = maxWaiting;
    const createBatch = async (requests: readonly CreateRequest[]) => {
      const start = performance.now();
      try {
        return await createPets(database, requests);
      } finally {
        onBatch?.(requests.length, performance.now() - start);
      }
    };
    this.#batcher = new Batcher(createBatch, {
      maxSize: MAX_BATCH,
      // Transactions run one at a time: with a second one, each would only have half of the requests.
      maxConcurrent: 1,
      isolates: (error) => !database.isUnavailable(error),
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
    if (this.#batcher.waitingCount >= this.#maxWaiting) return { outcome: 'overloaded' };
    return this.#batcher.add(request);
  }
}
