import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** How long a batch holds up the next one where several may run: a slow one waits for a disk or the network. */
export const SLOW_BATCH_MS = 5;

interface BatcherOptions<Item> {
  /** Size of a batch at most. One item is a batch whatever its size. */
  maxSize: number;
  /** Size of an item. @default 1 */
  sizeOf?: (item: Item) => number;
  /** Batches at most that run at a time while they are slow. Two fast ones would be smaller, and cost more per item. */
  maxConcurrent: number;
  /** Whether an error may be due to one of the items, so that each is run again alone. */
  isolates: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs work for many items at once. No batch waits to become larger: it is what arrived in one turn of the event loop,
 * and what arrives while it runs, or in the turn after it, is the next one.
 */
export class Batcher<Item, Result> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #options: BatcherOptions<Item>;
  #waiting: Waiting<Item, Result>[] = [];
  #isRunning = false;
  readonly #batches = new Set<Promise<void>>();

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
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    if (!this.#isRunning) void this.#runWaiting();
    return promise;
  }

  async #runWaiting(): Promise<void> {
    this.#isRunning = true;
    // A turn also after a batch: callers that got their result may have more, and would else be half of all batches.
    for (await setImmediate(); this.#waiting.length > 0; await setImmediate()) {
      const batch = this.#runBatch(this.#takeBatch()).finally(() => this.#batches.delete(batch));
      this.#batches.add(batch);
      const isLast = this.#batches.size === this.#options.maxConcurrent;
      await Promise.race(isLast ? this.#batches : [batch, sleep(SLOW_BATCH_MS)]);
    }
    this.#isRunning = false;
  }

  #takeBatch(): Waiting<Item, Result>[] {
    const { maxSize, sizeOf = () => 1 } = this.#options;
    let size = 0;
    const end = this.#waiting.findIndex(({ item }, index) => {
      size += sizeOf(item);
      return size > maxSize && index > 0;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('A batch has fewer results than items'));
        else resolve(result);
      }
    } catch (error) {
      if (batch.length === 1 || !this.#options.isolates(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      for (const waiting of batch) await this.#runBatch([waiting]);
    }
  }
}
