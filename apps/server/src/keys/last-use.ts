import type { Database } from '../database/database.ts';
import { saveLastUse } from './repository.ts';

const HOUR_MS = 60 * 60 * 1000;

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
  note(hash: string, saved: number | undefined, now: number): void {
    const hour = now - (now % HOUR_MS);
    if (saved === undefined || saved < hour) this.#unsaved.set(hash, hour);
  }

  /** Saves what the database does not have yet. What cannot be saved is kept for the next time. */
  async save(): Promise<void> {
    const lastUses = this.#unsaved;
    if (lastUses.size === 0) return;
    this.#unsaved = new Map();
    try {
      await this.#database.transact([...lastUses].map(([hash, hour]) => saveLastUse(hash, hour)));
    } catch (error) {
      this.#unsaved = new Map([...lastUses, ...this.#unsaved]);
      throw error;
    }
  }
}
