import type { NewPet, Pet } from '@petstore/contract';
import { Batcher } from '../database/batcher.ts';
import type { Addition, Appended, Database } from '../database/database.ts';
import { fingerprint } from './idempotency.ts';
import { findPet, rowOf } from './repository.ts';

/** Pets in one transaction at most. */
const MAX_BATCH = 500;

export interface CreateRequest {
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
  readonly #batcher: Batcher<CreateRequest, Appended | 'again'>;

  constructor(database: Database, options: CreateQueueOptions) {
    this.#database = database;
    this.#options = options;
    this.#batcher = new Batcher((batch) => this.#append(batch), {
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
  async create(request: CreateRequest): Promise<Creation | { outcome: 'overloaded' }> {
    if (this.#batcher.waitingCount >= this.#options.maxWaiting) return { outcome: 'overloaded' };
    const appended = await this.#batcher.add(request);
    if (appended === 'again') return this.create(request);
    if (appended.isAdded) return { outcome: 'created', pet: { id: appended.id, ...request.pet } };
    if (!appended.hasSameFingerprint) return { outcome: 'key_reused' };
    const pet = await findPet(this.#database, appended.id);
    // One that was removed just now has left its key free.
    return pet === undefined ? this.create(request) : { outcome: 'replayed', pet };
  }

  async #append(batch: readonly CreateRequest[]): Promise<(Appended | 'again')[]> {
    const start = performance.now();
    try {
      return await appendPets(this.#database, batch);
    } finally {
      this.#options.onBatch?.(batch.length, performance.now() - start);
    }
  }
}

/**
 * Adds the pets of many requests in one transaction, in which each Idempotency-Key stands once.
 *
 * @returns what became of each. A request with the key of an earlier one of the batch shares its outcome if it asks for
 *   the same pet, and otherwise comes again, to be compared with the record
 */
async function appendPets(
  database: Pick<Database, 'append'>,
  batch: readonly CreateRequest[],
): Promise<(Appended | 'again')[]> {
  const createdAt = Date.now();
  const firsts: Addition[] = [];
  const firstOfKey = new Map<string, number>();
  const additions = batch.map(({ pet, idempotencyKey: key, createdBy }) => {
    const idempotency = key === undefined ? undefined : { key, fingerprint: fingerprint(pet) };
    const addition = { idempotency, row: rowOf(pet, { createdAt, createdBy }) };
    const known = key === undefined ? undefined : firstOfKey.get(key);
    const first = known ?? firsts.push(addition) - 1;
    if (key !== undefined) firstOfKey.set(key, first);
    return { idempotency, first, isFirst: known === undefined };
  });
  const appended = await database.append(firsts);
  return additions.map(({ idempotency, first, isFirst }) => {
    const outcome = appended[first];
    if (outcome === undefined) throw new Error('The database returned fewer rows than were added');
    if (isFirst) return outcome;
    if (idempotency?.fingerprint !== firsts[first]?.idempotency?.fingerprint) return 'again';
    return outcome.isAdded ? { isAdded: false, id: outcome.id, hasSameFingerprint: true } : outcome;
  });
}
