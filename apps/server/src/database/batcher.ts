import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** How long a batch holds up the next one where several may run: a slow one waits for a disk or the network. */
export const SLOW_BATCH_MS = 5;

/** A batch that failed after so long has waited for what others would wait for as well: a lock, a disk, a network. */
export const SLOW_FAILURE_MS = 500;

/** Rows of a batch at most: its callers hold them until their responses are sent. One item is a batch whatever its size. */
const MAX_SIZE = 500;

interface BatcherOptions<Item> {
  /** Rows at most that an item reads or writes. @default 1 */
  sizeOf?: (item: Item) => number;
  /** Batches at most that run at a time, while they are slow: two fast ones would be smaller, and cost more per item. */
  maxConcurrent: number;
  /** Whether an error may be due to one of the items, so that each is run again alone. */
  isolates: (error: unknown) => boolean;
}

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { item: Item };

/** Turns of the event loop for which a batch waits for further items at most, and those in a row without one. */
const MAX_TURNS = 8;
const QUIET_TURNS = 2;

/**
 * Runs work for many items at once. After a batch that has failed slowly, one at a time tries again, and items that come
 * meanwhile fail at once: with a locked table each caller would wait for the timeouts of two batches.
 */
export class Batcher<Item, Result> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #options: BatcherOptions<Item>;
  readonly #waiting: Waiting<Item, Result>[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Whether `#runWaiting` is under way. */
  #isActive = false;
  /** Why the last batch failed slowly, until one succeeds. */
  #slowFailure: { readonly error: unknown } | undefined;

  /** @param run does the work and returns the result of each item, in their order */
  constructor(run: (items: readonly Item[]) => Promise<readonly Result[]>, options: BatcherOptions<Item>) {
    this.#run = run;
    this.#options = options;
  }

  /** Items that wait for their batch to begin. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Runs an item with the next batch, and returns its result. */
  add(item: Item): Promise<Result> {
    if (this.#slowFailure !== undefined && (this.#isActive || this.#running.size > 0)) {
      return Promise.reject(this.#slowFailure.error);
    }
    const waiting = { item, ...Promise.withResolvers<Result>() };
    this.#waiting.push(waiting);
    if (!this.#isActive) void this.#runWaiting();
    return waiting.promise;
  }

  async #runWaiting(): Promise<void> {
    this.#isActive = true;
    const { maxConcurrent } = this.#options;
    while (this.#waiting.length > 0) {
      while (this.#running.size === maxConcurrent) await Promise.race(this.#running);
      await this.#gather();
      const batch = this.#takeBatch();
      // A slow failure of another batch has rejected all that waited.
      if (batch.length === 0) break;
      const run: Promise<void> = this.#runBatch(batch).finally(() => this.#running.delete(run));
      this.#running.add(run);
      await Promise.race(maxConcurrent > 1 ? [run, sleep(SLOW_BATCH_MS)] : [run]);
    }
    this.#isActive = false;
  }

  /**
   * Waits until callers of the last batch who go on at once have come. Otherwise they form two groups, whose batches take
   * turns and have half the size: a creation over 32 connections takes 1.3 times the processor time of server and
   * database. After one quiet turn the first caller is often a batch alone, and a creation takes 1.07 times.
   */
  async #gather(): Promise<void> {
    for (let turn = 0, quiet = 0; turn < MAX_TURNS && quiet < QUIET_TURNS; turn += 1) {
      const count = this.#waiting.length;
      if (count >= MAX_SIZE) return;
      await setImmediate();
      quiet = this.#waiting.length > count ? 0 : quiet + 1;
    }
  }

  #takeBatch(): Waiting<Item, Result>[] {
    const { sizeOf = () => 1 } = this.#options;
    let size = 0;
    const end = this.#waiting.findIndex(({ item }, index) => {
      size += sizeOf(item);
      return size > MAX_SIZE && index > 0;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const start = performance.now();
    try {
      const results = await this.#run(batch.map(({ item }) => item));
      this.#slowFailure = undefined;
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('A batch has fewer results than items'));
        else resolve(result);
      }
    } catch (error) {
      const isOfItem = this.#options.isolates(error);
      if (isOfItem && batch.length > 1) {
        for (const waiting of batch) {
          if (this.#slowFailure) waiting.reject(this.#slowFailure.error);
          else await this.#runBatch([waiting]);
        }
        return;
      }
      for (const { reject } of batch) reject(error);
      if (isOfItem || performance.now() - start < SLOW_FAILURE_MS) return;
      this.#slowFailure = { error };
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
  }
}
