import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError } from './connection-error.ts';

/** After this time the next batch may begin beside a running one: a slower batch waits for a disk or the network. */
const SLOW_BATCH_MS = 5;

/** A batch that fails this slowly waited for a lock, a disk or the network. The next batch would wait for the same. */
const SLOW_FAILURE_MS = 500;

/** The largest sum of `rowsOf` in a batch with several items: their rows are in memory until the responses are sent. */
export const MAX_ROWS = 400;

/**
 * A batch begins after `QUIET_TURNS` turns of the event loop without a new item. Items of independent callers may arrive
 * in each turn: `MAX_TURNS` bounds the wait. Its exact value does not matter.
 */
const QUIET_TURNS = 2;
const MAX_TURNS = 8;

export interface BatcherOptions<Item> {
  /** How many rows an item counts as: the most that it reads, or more for a large value. @default 1 */
  rowsOf?: (item: Item) => number;
  /** How many slow batches may run at a time. Fast batches run one by one: a few large batches cost less per item. */
  maxConcurrent: number;
  /** How long an item may wait until its batch begins. @default no limit */
  maxWaitMs?: number | undefined;
  /** Whether an item may have caused the error: each item then runs again alone. */
  isCausedByItem: (error: unknown) => boolean;
}

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { item: Item; since: number };

/**
 * Runs work for many items at once. After a batch has failed slowly, one batch at a time tries again, and items added
 * meanwhile fail at once. Otherwise each caller would wait for the timeouts of two batches while a table is locked.
 */
export class Batcher<Item, Result> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #options: BatcherOptions<Item>;
  readonly #waiting: Waiting<Item, Result>[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Whether `#runWaiting` begins batches. The last ones may still run when it has ended. */
  #isActive = false;
  /** Why the last batch failed slowly, until one succeeds. */
  #slowFailure: { readonly error: unknown } | undefined;

  /** @param run returns the results in the order of the items */
  constructor(run: (items: readonly Item[]) => Promise<readonly Result[]>, options: BatcherOptions<Item>) {
    this.#run = run;
    this.#options = options;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Runs an item with the next batch. If it has then waited for `maxWaitMs`, it fails with a ConnectionError `busy`. */
  add(item: Item): Promise<Result> {
    if (this.#slowFailure !== undefined && (this.#isActive || this.#running.size > 0)) {
      return Promise.reject(this.#slowFailure.error);
    }
    const waiting = { item, since: performance.now(), ...Promise.withResolvers<Result>() };
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
      // A slow failure of another batch, or the time limit, has rejected all waiting items.
      if (batch.length === 0) break;
      const run: Promise<void> = this.#runBatch(batch).finally(() => this.#running.delete(run));
      this.#running.add(run);
      // If only one batch may run, a timer would cost processor time and start nothing earlier.
      await (maxConcurrent === 1 ? run : Promise.race([run, sleep(SLOW_BATCH_MS)]));
    }
    this.#isActive = false;
  }

  /**
   * Waits for the next items from callers of the last batch. Otherwise the callers form two groups, batches have half
   * the size, and a creation takes 1.3 times the processor time. With one quiet turn instead of two it takes 1.07
   * times.
   */
  async #gather(): Promise<void> {
    let quietTurns = 0;
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const count = this.#waiting.length;
      // Each item counts as at least one row.
      if (count >= MAX_ROWS || quietTurns === QUIET_TURNS) return;
      await setImmediate();
      quietTurns = this.#waiting.length > count ? 0 : quietTurns + 1;
    }
  }

  #takeBatch(): Waiting<Item, Result>[] {
    const { rowsOf, maxWaitMs = Infinity } = this.#options;
    const earliest = performance.now() - maxWaitMs;
    while (this.#waiting[0] && this.#waiting[0].since < earliest) {
      this.#waiting.shift()?.reject(new ConnectionError('busy'));
    }
    let rows = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      rows += rowsOf?.(item) ?? 1;
      if (rows > MAX_ROWS && count > 0) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
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
      const isCausedByItem = this.#options.isCausedByItem(error);
      if (isCausedByItem && batch.length > 1) {
        for (const waiting of batch) {
          // After a slow failure, the next item would wait for the same.
          if (this.#slowFailure) waiting.reject(this.#slowFailure.error);
          else await this.#runBatch([waiting]);
        }
        return;
      }
      for (const { reject } of batch) reject(error);
      if (isCausedByItem || performance.now() - start < SLOW_FAILURE_MS) return;
      this.#slowFailure = { error };
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
  }
}
