import { Batcher } from '../database/batcher.ts';
import type { Database } from '../database/database.ts';
import { type CreateRequest, type Creation, createPets } from './create-pets.ts';

/** Pets in one transaction at most. */
const MAX_BATCH = 500;

/** Group commit: requests that arrive together are committed together, with one fsync, and resolve after it. */
export class CreateQueue {
  readonly #batcher: Batcher<CreateRequest, Creation>;
  readonly #maxWaiting: number;

  /** @param limits.maxWaiting requests that may wait for their commit; further ones are `overloaded` */
  constructor(database: Database, limits: { maxWaiting: number }) {
    this.#maxWaiting = limits.maxWaiting;
    this.#batcher = new Batcher((requests) => createPets(database, requests), {
      maxSize: MAX_BATCH,
      // Transactions run one at a time: with a second one, each would only have half of the requests.
      maxConcurrent: 1,
      isolates: (error) => !database.isUnavailable(error),
    });
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
