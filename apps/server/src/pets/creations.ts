import type { Database } from '../database/database.ts';
import { HttpError } from '../http/http-error.ts';
import { type CreateRequest, type Creation, createPets } from './create-pets.ts';

/** Animals that travel in one transaction at the most; further ones travel in the next. */
const MAX_BATCH = 500;

interface Waiting {
  request: CreateRequest;
  resolve: (creation: Creation) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: creations that arrive together are committed together, with one fsync, and each caller
 * is answered after it. Nobody waits for a timer: a batch is what arrived in one turn of the event loop,
 * and whatever arrives while all writers are at work is the next batch.
 */
export class Creations {
  readonly #database: Database;
  readonly #maxWaiting: number;
  #waiting: Waiting[] = [];
  #running = 0;

  /** @param limits.maxWaiting creations that may wait for their commit before further ones are refused */
  constructor(database: Database, limits: { maxWaiting: number }) {
    this.#database = database;
    this.#maxWaiting = limits.maxWaiting;
  }

  /**
   * Adds an animal, exactly once when the request carries an Idempotency-Key.
   *
   * @returns what became of the request, once it is durable
   * @throws HttpError `overloaded` when too many creations wait already
   */
  async create(request: CreateRequest): Promise<Creation> {
    if (this.#waiting.length >= this.#maxWaiting) throw new HttpError('overloaded');
    const { promise, resolve, reject } = Promise.withResolvers<Creation>();
    this.#waiting.push({ request, resolve, reject });
    if (this.#running < this.#database.writers) {
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
      // One of them is at fault: its neighbours are not to fail with it.
      for (const waiting of batch) await this.#commit([waiting]);
    }
  }
}
