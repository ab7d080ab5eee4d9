import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import type { WriterData, WriterOutcome, WriterReply, WriterTask } from './writer-thread.ts';

const REPLY_TIMEOUT_MS = 5_000;

export class Writer {
  readonly #file: string;
  readonly #worker: Worker;
  /** Receivers of the replies, in the order of the tasks. */
  readonly #waiting: ((reply: WriterReply) => void)[] = [];
  #isStalled = false;

  constructor(program: URL, data: WriterData) {
    this.#file = data.file;
    this.#worker = new Worker(program, { workerData: data });
    this.#worker.on('message', (reply: WriterReply) => {
      this.#isStalled = false;
      this.#waiting.shift()?.(reply);
    });
  }

  /**
   * Sends a task, and waits for the reply. A task that has timed out may still be committed.
   * @throws SqliteError of the thread; `SQLITE_BUSY_TIMEOUT` when the reply does not come in time, or at once while an
   *   earlier reply is late
   */
  async send(task: WriterTask): Promise<WriterOutcome> {
    if (this.#isStalled) throw stalledError(this.#file);
    const { promise, resolve, reject } = Promise.withResolvers<WriterReply>();
    // `postMessage` comes first, because it throws for a value that cannot be sent.
    this.#worker.postMessage(task);
    this.#waiting.push(resolve);
    const timer = setTimeout(() => {
      this.#isStalled = true;
      reject(stalledError(this.#file));
    }, REPLY_TIMEOUT_MS);
    const reply = await promise.finally(() => clearTimeout(timer));
    if ('code' in reply) throw new BetterSqlite3.SqliteError(reply.message, reply.code);
    return reply;
  }

  async close(): Promise<void> {
    this.#worker.postMessage('close');
    await once(this.#worker, 'exit');
  }
}

const stalledError = (file: string) =>
  new BetterSqlite3.SqliteError(
    `${file} could not be written in time: check the disk, and what else has the file open`,
    'SQLITE_BUSY_TIMEOUT',
  );
