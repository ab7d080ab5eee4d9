import type { Database } from '../database/database.ts';
import { type CreateRequest, type Creation, createPets } from './create-pets.ts';

/** Pets in one transaction at most; further ones are added in the next. */
const MAX_BATCH = 500;

interface Waiting {
  request: CreateRequest;
  resolve: (creation: Creation) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: requests that arrive together are committed together, with one fsync, and each resolves
 * after it. There is no timer: a batch is what arrived in one turn of the event loop, and what arrives
 * while all transactions are running is the next batch.
 */
export class CreateQueue {
  readonly #database: Database;
  readonly #maxWaiting: number;
  #waiting: Waiting[] = [];
  #running = 0;

  /** @param limits.maxWaiting requests that may wait for their commit before further ones are overload */
  constructor(database: Database, limits: { maxWaiting: number }) {
    this.#database = database;
    this.#maxWaiting = limits.maxWaiting;
  }

  /**
   * Adds a pet, exactly once when the request carries an Idempotency-Key.
   *
   * @returns the outcome, once it is durable; `overloaded` when too many requests wait already
   */
  async create(request: CreateRequest): Promise<Creation | { outcome: 'overloaded' }> {
    if (this.#waiting.length >= this.#maxWaiting) return { outcome: 'overloaded' };
    const { promise, resolve, reject } = Promise.withResolvers<Creation>();
    this.#waiting.push({ request, resolve, reject });
    if (this.#running < this.#database.maxConcurrentTransactions) {
      this.#running += 1;
      setImmediate(() => this.#run());
    }
    return promise;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, MAX_BATCH));
    this.#running -= 1;
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    try {
      const requests = batch.map(({ request }) => request);
      const creations = await createPets(this.#database, requests);
      for (const [index, creation] of creations.entries()) batch[index]?.resolve(creation);
    } catch (error) {
      if (batch.length === 1 || this.#database.isUnavailable(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // One request is at fault, and the others must not fail with it.
      for (const waiting of batch) await this.#commit([waiting]);
    }
  }
}
