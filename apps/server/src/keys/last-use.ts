import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { saveLastUses } from './repository.ts';

const HOUR_MS = 60 * 60 * 1000;

/** How often the hours of last use are saved. */
const SAVE_INTERVAL_MS = 60_000;

/** How long the last save may hold up the end of the process: the database may not respond. */
const LAST_SAVE_MS = 1_000;

/** Gathers in which hour each key was used last, so that a request writes nothing. */
export class LastUse {
  readonly #database: Database;
  #unsaved = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Notes the use of a key.
   *
   * @param hash digest of the key
   * @param saved the hour of its last use in the database, in milliseconds since 1970
   */
  note(hash: string, saved: number | undefined, now = Date.now()): void {
    const hour = now - (now % HOUR_MS);
    if (saved === undefined || saved < hour) this.#unsaved.set(hash, hour);
  }

  /** Saves what the database does not have yet. What cannot be saved is kept for the next time. */
  async save(): Promise<void> {
    const lastUses = this.#unsaved;
    if (lastUses.size === 0) return;
    this.#unsaved = new Map();
    try {
      await this.#database.transact((transaction) => saveLastUses(transaction, lastUses));
    } catch (error) {
      this.#unsaved = new Map([...lastUses, ...this.#unsaved]);
      throw error;
    }
  }
}

/**
 * Saves the hours of last use once a minute.
 *
 * @returns a handle that ends it and saves once more
 */
export function startSavingLastUse({
  lastUse,
  logger,
}: {
  lastUse: LastUse;
  logger: Logger;
}): AsyncDisposable {
  async function save(): Promise<void> {
    try {
      await lastUse.save();
    } catch (error) {
      logger.error({ err: error }, 'The last use of API keys could not be saved');
    }
  }
  const timer = setInterval(save, SAVE_INTERVAL_MS);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.race([save(), sleep(LAST_SAVE_MS, undefined, { ref: false })]);
    },
  };
}
