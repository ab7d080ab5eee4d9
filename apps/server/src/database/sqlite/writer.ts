import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import type { AddedPet, PetAddition } from '../database.ts';
import { NO_RESULT, type Result } from '../driver.ts';
import { reasonOf } from '../reason.ts';
import { Turns } from '../turns.ts';
import type { StatementData } from './statement.ts';
import type { WriterOutcome, WriterReply, WriterTask } from './writer-thread.ts';

/** A disk that takes longer counts as stalled. */
const REPLY_TIMEOUT_MS = 5_000;

/** A transaction whose caller does nothing for this long is rolled back. */
const IDLE_TIMEOUT_MS = 5_000;

// The build also puts the thread's program beside the file that contains this code.
const PROGRAM = new URL(`./writer-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** The thread that writes to a file. It does the work of one caller at a time. */
export class Writer {
  readonly file: string;
  readonly #program: URL;
  /** The thread, once it has loaded its program. The first task starts it: many commands only read. */
  #worker: Promise<Worker> | undefined;
  /** Receive the replies, in the order of the tasks. */
  readonly #receivers: ((reply: WriterReply) => void)[] = [];
  #isStalled = false;
  readonly #turns: Turns;

  constructor(file: string, program = PROGRAM) {
    this.file = file;
    this.#program = program;
    const reason = `a transaction kept ${file} for too long`;
    this.#turns = new Turns(() => new BetterSqlite3.SqliteError(reason, 'SQLITE_BUSY'));
  }

  /** Adds pets in a transaction. @throws as `send` does */
  async append(additions: readonly PetAddition[]): Promise<AddedPet<bigint>[]> {
    const { added = [] } = await this.#inTurn({ kind: 'append', additions });
    return added;
  }

  /** Runs a statement in a transaction of its own. @throws as `send` does */
  async run(statement: StatementData): Promise<Result> {
    const { result = NO_RESULT } = await this.#inTurn({ kind: 'run', statement });
    return result;
  }

  /** Begins a transaction. Other work waits for its end. @throws as `send` does */
  async begin() {
    const endTurn = await this.#takeTurn();
    return beginTransaction((task) => this.send(task), endTurn);
  }

  /** Waits for earlier work, at most until a turn would time out. No further work begins: the turn never ends. */
  async finish(): Promise<void> {
    await this.#worker?.catch(() => {});
    await this.#turns.take().catch(() => {});
    // Callers get their results before the database is closed.
    await setImmediate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = await this.#worker;
    if (worker === undefined) return;
    worker.postMessage('close');
    await once(worker, 'exit');
  }

  /** Starts the thread before any time limit begins: a busy machine may take long. */
  async #takeTurn(): Promise<() => void> {
    await this.#startOnce();
    return this.#turns.take();
  }

  #startOnce(): Promise<Worker> {
    this.#worker ??= this.#start().catch((error: unknown) => {
      // The next task tries again.
      this.#worker = undefined;
      const reason = `the thread that writes cannot start: ${reasonOf(error)}`;
      throw new BetterSqlite3.SqliteError(reason, 'SQLITE_CANTOPEN');
    });
    return this.#worker;
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.#program, { workerData: this.file });
    await once(worker, 'message');
    return worker.on('message', (reply: WriterReply) => {
      this.#isStalled = false;
      this.#receivers.shift()?.(reply);
    });
  }

  /**
   * Sends a task, and waits for the reply. A task that has timed out may still be committed.
   * @throws SqliteError of the thread; `SQLITE_CANTOPEN` when it cannot start; `SQLITE_BUSY_TIMEOUT` when the reply does
   *   not come in time, or at once while an earlier reply is late
   */
  async send(task: WriterTask): Promise<WriterOutcome> {
    const worker = await this.#startOnce();
    if (this.#isStalled && task.kind !== 'rollback') throw this.#stalledError();
    const { promise, resolve, reject } = Promise.withResolvers<WriterReply>();
    // `postMessage` comes first, because it throws for a value that cannot be sent.
    worker.postMessage(task);
    this.#receivers.push(resolve);
    const timer = setTimeout(() => {
      this.#isStalled = true;
      reject(this.#stalledError());
    }, REPLY_TIMEOUT_MS);
    const reply = await promise.finally(() => clearTimeout(timer));
    if ('code' in reply) throw new BetterSqlite3.SqliteError(reply.message, reply.code);
    return reply;
  }

  async #inTurn(task: WriterTask): Promise<WriterOutcome> {
    const endTurn = await this.#takeTurn();
    return this.send(task).finally(endTurn);
  }

  #stalledError() {
    return new BetterSqlite3.SqliteError(
      `${this.file} could not be written in time: check the disk, and what else has the file open`,
      'SQLITE_BUSY_TIMEOUT',
    );
  }
}

/** Begins a transaction. It keeps the thread for one caller until it ends, or was idle for too long. */
async function beginTransaction(send: Writer['send'], endTurn: () => void) {
  let isOpen = true;
  let idleTimer: NodeJS.Timeout | undefined;

  function end(): void {
    isOpen = false;
    clearTimeout(idleTimer);
    endTurn();
  }

  /** Never fails: a stalled thread rolls back later, before it does other work. */
  function rollback(): void {
    if (!isOpen) return;
    send({ kind: 'rollback' }).catch(() => {});
    end();
  }

  async function perform(task: WriterTask): Promise<WriterOutcome> {
    if (!isOpen) {
      const reason = `the transaction has ended, or was idle for ${IDLE_TIMEOUT_MS} ms and was rolled back`;
      throw new BetterSqlite3.SqliteError(reason, 'SQLITE_ABORT');
    }
    clearTimeout(idleTimer);
    try {
      return await send(task);
    } finally {
      // Another statement at the same time may have set the timer.
      clearTimeout(idleTimer);
      if (isOpen) idleTimer = setTimeout(rollback, IDLE_TIMEOUT_MS).unref();
    }
  }

  await perform({ kind: 'begin' }).catch((error: unknown) => {
    rollback();
    throw error;
  });
  return {
    /** Runs a statement. The caller may go on after its failure, unless SQLite has rolled the transaction back. */
    async run(statement: StatementData): Promise<Result> {
      const { result = NO_RESULT } = await perform({ kind: 'continue', statement });
      return result;
    },
    /** Leaves the transaction open if it fails. Then Kysely, or the idle timer, rolls it back. */
    async commit(): Promise<void> {
      await perform({ kind: 'commit' });
      end();
    },
    rollback,
  };
}
