import type { NewPet, Pet } from '@petstore/contract';
import { Batcher } from '../database/batcher.ts';
import type { Addition, Appended, Database } from '../database/database.ts';
import { digestKey, fingerprint } from './idempotency.ts';
import { findPet, rowOf } from './repository.ts';

interface CreateRequest {
  pet: NewPet;
  /** Identifies a repetition: made of the name of the caller's API key and its Idempotency-Key. */
  idempotencyKey?: string | undefined;
  /** Name of the caller's API key. */
  createdBy?: string | undefined;
}

/** The outcome of a request: a new pet, that of an earlier request, or a key that came with another pet before. */
export type Creation = { outcome: 'created' | 'replayed'; pet: Pet } | { outcome: 'key_reused' };

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
  readonly #batcher: Batcher<CreateRequest, Appended>;

  constructor(database: Database, options: CreateQueueOptions) {
    this.#database = database;
    this.#options = options;
    this.#batcher = new Batcher((batch) => this.#append(batch), {
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
  async create(request: CreateRequest): Promise<Creation | { outcome: 'overloaded' }> {
    if (this.#batcher.waitingCount >= this.#options.maxWaiting) return { outcome: 'overloaded' };
    const appended = await this.#batcher.add(request);
    if (appended.isAdded) return { outcome: 'created', pet: { id: appended.id, ...request.pet } };
    if (!appended.hasSameFingerprint) return { outcome: 'key_reused' };
    const pet = await findPet(this.#database, appended.id);
    // One that was removed just now has left its key free.
    return pet === undefined ? this.create(request) : { outcome: 'replayed', pet };
  }

  async #append(batch: readonly CreateRequest[]): Promise<Appended[]> {
    const start = performance.now();
    try {
      const createdAt = Date.now();
      return await this.#database.append(batch.map((request) => toAddition(request, createdAt)));
    } finally {
      this.#options.onBatch?.(batch.length, performance.now() - start);
    }
  }
}

const toAddition = ({ pet, idempotencyKey: key, createdBy }: CreateRequest, createdAt: number): Addition => ({
  idempotency: key === undefined ? undefined : { key: digestKey(key), fingerprint: fingerprint(pet) },
  row: rowOf(pet, { createdAt, createdBy }),
});
