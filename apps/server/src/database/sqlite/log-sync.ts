import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

/** The disk refused what was committed. Whether a later sync would save it cannot be known. */
export class LogSyncError extends Error {
  override name = 'LogSyncError';

  constructor(file: string, cause: unknown) {
    super(`${file} could not be written to the disk: check the disk, then restart the service`, { cause });
  }
}

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
  #running: Promise<void> | undefined;
  /** The sync after the running one, for what is committed meanwhile. */
  #next: Promise<void> | undefined;
  #failure: LogSyncError | undefined;

  /** @param file the write-ahead log of an open database */
  constructor(file: string, syncFile: (descriptor: number) => Promise<void> = promisify(fdatasync)) {
    this.#file = file;
    this.#descriptor = openSync(file, 'r+');
    this.#syncFile = syncFile;
  }

  /** @throws LogSyncError when the disk refused a sync: nothing is certain since */
  check(): void {
    if (this.#failure) throw this.#failure;
  }

  /**
   * Makes all commits so far durable.
   *
   * @throws LogSyncError when the disk refuses it
   */
  sync(): Promise<void> {
    this.#next ??= this.#syncAfter(this.#running);
    return this.#next;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  async #syncAfter(running: Promise<void> | undefined): Promise<void> {
    await running;
    this.#running = this.#next;
    this.#next = undefined;
    try {
      await this.#syncFile(this.#descriptor);
    } catch (error) {
      this.#failure ??= new LogSyncError(this.#file, error);
    }
    this.check();
  }
}
