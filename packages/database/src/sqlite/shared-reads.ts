import type { DatabaseVersion } from '../database.ts';

/** So that the first response of many is not late. */
const MAX_READS = 16;

interface Waiting {
  read: () => void;
  resolve: (version: DatabaseVersion) => void;
  reject: (error: unknown) => void;
}

interface SharedReadsOptions {
  /** Runs work in a read transaction, and returns a version from before it. */
  inTransaction: (work: () => void) => Promise<DatabaseVersion>;
  /** Whether an error may be due to one of the reads, so that each is run again alone. */
  isolates: (error: unknown) => boolean;
}

/**
 * Runs the reads that arrive in one turn of the event loop in one transaction, which begins after all of them have
 * arrived: none sees less than was committed before its request. In a transaction of its own for each, SQLite takes and
 * drops locks and looks whether the file has changed: an uncached pet takes 1.2 times the processor time over 32
 * connections, and 0.94 times over one, whose reads share none (medians of seven and three pairs of processes, 30,000
 * requests of each).
 */
export class SharedReads {
  readonly #options: SharedReadsOptions;
  #waiting: Waiting[] = [];

  constructor(options: SharedReadsOptions) {
    this.#options = options;
  }

  /** Runs a synchronous read with the others, and returns a version from before it. */
  add(read: () => void): Promise<DatabaseVersion> {
    const { promise, resolve, reject } = Promise.withResolvers<DatabaseVersion>();
    if (this.#waiting.length === 0) setImmediate(() => this.#runWaiting());
    this.#waiting.push({ read, resolve, reject });
    if (this.#waiting.length >= MAX_READS) this.#runWaiting();
    return promise;
  }

  #runWaiting(): void {
    const reads = this.#waiting;
    this.#waiting = [];
    if (reads.length > 0) void this.#run(reads);
  }

  async #run(reads: readonly Waiting[]): Promise<void> {
    try {
      const version = await this.#options.inTransaction(() => {
        for (const { read } of reads) read();
      });
      for (const { resolve } of reads) resolve(version);
    } catch (error) {
      if (reads.length > 1 && this.#options.isolates(error)) for (const read of reads) void this.#run([read]);
      else for (const { reject } of reads) reject(error);
    }
  }
}
