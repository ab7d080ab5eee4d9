/** How long a batch holds up the next one where several may run: a slow one waits for a disk or the network. */
export const SLOW_BATCH_MS = 5;

/** A batch that failed after so long has waited for what further ones would wait for as well: a lock, a disk, a network. */
export const SLOW_FAILURE_MS = 500;

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

/** Turns of the event loop at most for which a batch waits for further items. */
const MAX_TURNS = 8;

/**
 * Turns in a row without a further item after which a batch begins. After one, the first caller of a group is often a
 * batch alone: with 32 connections of wrk and PostgreSQL, 8 to 20 % of all batches. They had 23 items instead of 31, and
 * a creation took 1.07 times the processor time of server and database (medians of 3 and 6 pairs of processes).
 */
const QUIET_TURNS = 2;

/**
 * Runs work for many items at once. A batch begins after two turns of the event loop that bring no further item, so
 * that callers of the last batch who go on at once are in the next one. Otherwise callers form two groups, whose batches
 * take turns and have half the size: a creation over 32 connections takes 1.3 times the processor time (median of five
 * pairs of processes, 20,000 requests of each).
 *
 * After a batch that has failed slowly, one at a time tries again, and items that come meanwhile fail at once: with a
 * locked table each caller would wait for the timeouts of two batches.
 */
export class Batcher<Item, Result> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #options: BatcherOptions<Item>;
  #waiting: Waiting<Item, Result>[] = [];
  /** Whether a batch is about to begin, or runs and is not slow. */
  #isBusy = false;
  #slowCount = 0;
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
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (this.#slowFailure !== undefined && (this.#isBusy || this.#slowCount > 0)) {
      reject(this.#slowFailure.error);
      return promise;
    }
    this.#waiting.push({ item, resolve, reject });
    this.#prepareNext();
    return promise;
  }

  #prepareNext(): void {
    const { maxConcurrent } = this.#options;
    if (this.#isBusy || this.#waiting.length === 0 || this.#slowCount === maxConcurrent) return;
    this.#isBusy = true;
    this.#gather(MAX_TURNS, QUIET_TURNS);
  }

  /** @param quiet turns without a further item after which the batch begins */
  #gather(turns: number, quiet: number): void {
    const count = this.#waiting.length;
    setImmediate(() => {
      const quietNow = this.#waiting.length > count ? QUIET_TURNS : quiet - 1;
      const isFull = this.#waiting.length >= this.#options.maxSize;
      if (isFull || turns === 1 || quietNow === 0) void this.#runNext();
      else this.#gather(turns - 1, quietNow);
    });
  }

  async #runNext(): Promise<void> {
    let isSlow = false;
    const letOthersRun = () => {
      isSlow = true;
      this.#slowCount += 1;
      this.#isBusy = false;
      this.#prepareNext();
    };
    const timer = this.#options.maxConcurrent > 1 ? setTimeout(letOthersRun, SLOW_BATCH_MS) : undefined;
    await this.#runBatch(this.#takeBatch());
    clearTimeout(timer);
    if (isSlow) this.#slowCount -= 1;
    else this.#isBusy = false;
    this.#prepareNext();
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
      if (!isOfItem && performance.now() - start > SLOW_FAILURE_MS) {
        this.#slowFailure = { error };
        for (const { reject } of this.#waiting.splice(0)) reject(error);
      }
      if (batch.length === 1 || !isOfItem) {
        for (const { reject } of batch) reject(error);
        return;
      }
      for (const waiting of batch) await this.#runBatch([waiting]);
    }
  }
}
