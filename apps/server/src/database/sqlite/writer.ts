import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import type { WriterData, WriterMessage, WriterReply, WriterTask } from './writer-thread.ts';

/** How long a caller waits for the thread: longer than that waits for the lock of another process. */
const REPLY_TIMEOUT_MS = 5_000;

/** The disk keeps the thread waiting. What it was told may still be done. */
export class WriterStalledError extends Error {
  override name = 'WriterStalledError';

  constructor(file: string) {
    super(`${file} could not be written in time: check the disk, and what else has the file open`);
  }
}

/** The thread that writes, as the main thread sees it. */
export class Writer {
  readonly #file: string;
  readonly #worker: Worker;
  /** Takes the replies to what was sent, in this order. */
  readonly #waiting: ((reply: WriterReply) => void)[] = [];
  #isStalled = false;

  constructor(data: WriterData) {
    this.#file = data.file;
    // In the bundle it stands beside this file as well.
    const program = new URL(`./writer-thread${extname(import.meta.url)}`, import.meta.url);
    this.#worker = new Worker(program, { workerData: data });
    this.#worker.on('message', (reply: WriterReply) => this.#waiting.shift()?.(reply));
  }

  /**
   * Sends work, and waits for the reply.
   *
   * @throws SqliteError of the thread; WriterStalledError when the reply does not come in time, and at once while
   *   another one has not come
   */
  send(task: WriterTask): Promise<WriterReply> {
    if (this.#isStalled) return Promise.reject(new WriterStalledError(this.#file));
    const { promise, resolve, reject } = Promise.withResolvers<WriterReply>();
    const timer = setTimeout(() => {
      this.#isStalled = true;
      reject(new WriterStalledError(this.#file));
    }, REPLY_TIMEOUT_MS);
    this.#waiting.push((reply) => {
      clearTimeout(timer);
      this.#isStalled = false;
      if (reply.error === undefined) resolve(reply);
      else reject(toError(reply.error));
    });
    this.#worker.postMessage(task);
    return promise;
  }

  /** Waits until everything that was sent is done, and ends the thread. */
  async close(): Promise<void> {
    const ended = once(this.#worker, 'exit');
    this.#worker.postMessage('close' satisfies WriterMessage);
    await ended;
  }
}

/** A message of a thread keeps neither the class nor the code of an error. */
const toError = ({ message, code }: NonNullable<WriterReply['error']>) =>
  code === undefined ? new Error(message) : new BetterSqlite3.SqliteError(message, code);
