import { randomUUID } from 'node:crypto';
import { createHistogram, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPetStore, isPetStoreError, type PetStore } from '@petstore/client';
import { createNodeFetch } from '@petstore/client/node';
import { encodeCursor } from '@petstore/contract';
import { STATUSES } from '../data/pets.ts';
import { type Ledger, newPet } from './ledger.ts';

/** Shares of the requests; the others are single pets. */
export interface Mix {
  lists: number;
  creations: number;
}

/** Those of `pnpm bench`. */
export const MIXES = {
  mix5: { lists: 0.55, creations: 0.05 },
  mix30: { lists: 0.4, creations: 0.3 },
} as const satisfies Record<string, Mix>;

/** How many creations are repeated with their Idempotency-Key right after they were acknowledged. */
const REPEATED = 0.05;

/** Longer than any event takes the service away for: a call that fails has failed for another reason. */
const PATIENCE_MS = 120_000;

const PAGE = 20;
const NANOSECONDS = 1_000_000;

/** What the callers have seen since it was last read. */
export interface Observation {
  p50Ms: number | undefined;
  p99Ms: number | undefined;
  p999Ms: number | undefined;
  /** Calls that have ended. */
  calls: number;
  creations: number;
  /** Attempts that got no response, by the client's code. */
  failures: Record<string, number>;
}

/**
 * Callers that use our client as other apps do, and hold the service to what it has acknowledged.
 *
 * Calls begin at a fixed rate, whether or not those before have ended, and are timed from there, retries included: a
 * service that is away is charged with the waiting.
 */
export class Callers {
  readonly #run = randomUUID();
  readonly #ledger: Ledger;
  readonly #store: PetStore;
  readonly #pending = new Set<Promise<void>>();
  readonly #latencies = createHistogram();
  #calls = 0;
  #creations = 0;
  #failures: Record<string, number> = {};
  /** Since the start. */
  readonly totals = { calls: 0, repeated: 0, failedCalls: 0 };
  /** The message of the first call that failed, for the report. */
  firstFailure: string | undefined;
  /** The API key of the next requests. */
  apiKey: string;

  constructor(baseUrl: string, apiKey: string, ledger: Ledger) {
    this.apiKey = apiKey;
    this.#ledger = ledger;
    this.#store = createPetStore({
      baseUrl,
      apiKey: () => this.apiKey,
      fetch: createNodeFetch(),
      timeoutMs: PATIENCE_MS,
      onDeprecation: false,
      onError: ({ error }) => {
        this.#failures[error.code] = (this.#failures[error.code] ?? 0) + 1;
      },
    });
  }

  /** Sends requests until the signal, and waits for the last responses. */
  async send(rate: number, mixNow: () => Mix, signal: AbortSignal): Promise<void> {
    let due = performance.now();
    while (!signal.aborted) {
      due += 1_000 / rate;
      const call = this.#time(mixNow());
      this.#pending.add(call);
      void call.finally(() => this.#pending.delete(call));
      await sleep(Math.max(0, due - performance.now()));
    }
    await Promise.all(this.#pending);
  }

  /** Repeats random creations with their Idempotency-Keys, then reads all pages: the ledger notes what is wrong. */
  async audit(replays: number): Promise<number> {
    for (let count = 0; count < replays; count += 1) {
      const serial = this.#ledger.pick();
      if (serial !== undefined) await this.#repeat(serial);
    }
    return this.#ledger.audit(this.#store.pets({ pageSize: 100 }));
  }

  /** What was seen since the last time. */
  observe(): Observation {
    const latencies = this.#latencies;
    const percentile = (share: number) =>
      latencies.count === 0 ? undefined : latencies.percentile(share) / NANOSECONDS;
    const observation = {
      p50Ms: percentile(50),
      p99Ms: percentile(99),
      p999Ms: percentile(99.9),
      calls: this.#calls,
      creations: this.#creations,
      failures: this.#failures,
    };
    latencies.reset();
    this.#calls = 0;
    this.#creations = 0;
    this.#failures = {};
    return observation;
  }

  async #time(mix: Mix): Promise<void> {
    const start = performance.now();
    try {
      await this.#call(mix);
    } catch (error) {
      this.totals.failedCalls += 1;
      this.firstFailure ??= String(error);
    }
    this.#latencies.record(Math.max(1, Math.round((performance.now() - start) * NANOSECONDS)));
    this.#calls += 1;
    this.totals.calls += 1;
  }

  async #call({ lists, creations }: Mix): Promise<void> {
    const choice = Math.random();
    if (choice < lists) await this.#list();
    else if (choice < lists + creations) await this.#create();
    else await this.#get();
  }

  /** A page from a random pet on, which is in no cache. */
  async #list(): Promise<void> {
    const status = STATUSES[Math.floor(Math.random() * STATUSES.length)] ?? 'available';
    const after = Math.floor(Math.random() * this.#ledger.newestId);
    const pets = await this.#store.listPets({
      status,
      limit: PAGE,
      cursor: encodeCursor({ after, status }),
    });
    let last = after;
    for (const pet of pets) {
      const id = Number(pet.id);
      if (id <= last) this.#ledger.add('misplaced', `${id} after ${last} in a list`);
      if (pet.status !== status) this.#ledger.add('changed', `${id} is ${pet.status} in a list of ${status}`);
      last = id;
    }
  }

  async #create(): Promise<void> {
    const serial = this.#ledger.begin();
    try {
      this.#ledger.acknowledge(serial, await this.#send(serial));
    } catch (error) {
      this.#ledger.abandon(serial);
      throw error;
    }
    this.#creations += 1;
    if (Math.random() < REPEATED) await this.#repeat(serial);
  }

  /** A repetition that comes after a restore may create the pet anew: the ledger knows. */
  async #repeat(serial: number): Promise<void> {
    this.totals.repeated += 1;
    this.#ledger.acknowledge(serial, await this.#send(serial));
  }

  #send(serial: number) {
    return this.#store.createPet(newPet(serial), { idempotencyKey: `${this.#run}-${serial}` });
  }

  async #get(): Promise<void> {
    const { restores } = this.#ledger;
    const expected = this.#ledger.pickPet();
    const pet = await this.#store.getPet(expected.id).catch((error: unknown) => {
      if (isPetStoreError(error) && error.status === 404) return undefined;
      throw error;
    });
    // The pet may be among those that were taken back meanwhile.
    if (restores === this.#ledger.restores) this.#ledger.check(expected, pet);
  }
}
