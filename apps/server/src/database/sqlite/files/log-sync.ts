import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

/** What is committed is not durable. */
export class LogSyncError extends Error {
  override name = 'LogSyncError';

  constructor(file: string, remedy: string, cause?: unknown) {
    super(`${file} could not be written to the disk: ${remedy}`, { cause });
  }
}

/** How long a sync may take before creations get an error: as long as they wait for a lock. */
const SYNC_LIMIT_MS = 5_000;

/**
 * Makes commits durable without stopping the event loop. With `synchronous = FULL`, SQLite would sync its
 * write-ahead log within each commit, and no request would be served meanwhile: on a disk that takes 2 ms for a sync,
 * 5 % of creations would halve the requests a second. So SQLite is told not to (`NORMAL`), and the log is synced here,
 * in a thread of Node's pool.
 */
export class LogSync {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #syncFile: (descriptor: number) => Promise<void>;
  readonly #limitMs: number;
  #running: Promise<void> | undefined;
  /** The sync after the running one, for what is committed meanwhile. */
  #next: PromiseWithResolvers<void> | undefined;
  /** The disk refused a sync. Whether a later one would save what it was for cannot be known. */
  #failure: LogSyncError | undefined;
  /** The running sync takes longer than the limit. It may still succeed. */
  #stall: LogSyncError | undefined;

  /** @param file the write-ahead log of an open database */
  constructor(
    file: string,
    syncFile: (descriptor: number) => Promise<void> = promisify(fdatasync),
    limitMs = SYNC_LIMIT_MS,
  ) {
    this.#file = file;
    this.#descriptor = openSync(file, 'r+');
    this.#syncFile = syncFile;
    this.#limitMs = limitMs;
  }

  /** @throws LogSyncError when the disk refused a sync: nothing is certain since */
  check(): void {
    if (this.#failure) throw this.#failure;
  }

  /** @throws LogSyncError when what is committed now would not become durable in time */
  checkWritable(): void {
    this.check();
    if (this.#stall) throw this.#stall;
  }

  /**
   * Makes all commits so far durable.
   *
   * @throws LogSyncError when the disk refuses it, or takes too long: then it may still become durable
   */
  async sync(): Promise<void> {
    this.checkWritable();
    this.#next ??= Promise.withResolvers();
    this.#running ??= this.#run();
    await this.#next.promise;
  }

  /** Waits until nothing uses the log, then closes it. */
  async close(): Promise<void> {
    await this.sync().catch(() => {});
    await this.#running;
    closeSync(this.#descriptor);
  }

  async #run(): Promise<void> {
    // Calls that follow at once share the first sync.
    await Promise.resolve();
    for (let sync = this.#takeNext(); sync !== undefined; sync = this.#takeNext()) await this.#runOne(sync);
    this.#running = undefined;
  }

  #takeNext(): PromiseWithResolvers<void> | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }

  async #runOne({ resolve, reject }: PromiseWithResolvers<void>): Promise<void> {
    const timer = setTimeout(() => {
      this.#stall = new LogSyncError(this.#file, 'it does not respond');
      reject(this.#stall);
      this.#takeNext()?.reject(this.#stall);
    }, this.#limitMs);
    try {
      await this.#syncFile(this.#descriptor);
      resolve();
    } catch (error) {
      this.#failure = new LogSyncError(this.#file, 'check the disk, then restart the service', error);
      reject(this.#failure);
      this.#takeNext()?.reject(this.#failure);
    }
    clearTimeout(timer);
    this.#stall = undefined;
  }
}
