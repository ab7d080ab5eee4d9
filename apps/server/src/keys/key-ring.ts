import type { Database } from '../database/database.ts';
import { hashApiKey, isWellFormedApiKey } from './api-key.ts';
import { findKeyName } from './repository.ts';

/** A revoked key is refused within five seconds: what was looked up is believed for less. */
const TRUST_MS = 2_000;

/** Tells which caller an API key belongs to. */
export class KeyRing {
  readonly #database: Database;
  readonly #fixed: ReadonlyMap<string, string>;
  readonly #looked = new Map<string, { name: Promise<string | undefined>; until: number }>();

  /** @param fixedKeys keys from the configuration, valid beside those in the database */
  constructor(database: Database, fixedKeys: readonly string[]) {
    this.#database = database;
    const hashes = fixedKeys.map(hashApiKey);
    this.#fixed = new Map(hashes.map((hash) => [hash, `env-${hash.slice(0, 8)}`]));
  }

  /**
   * Finds the name of a valid key. Keys are compared by their digest, so that the time it takes says
   * nothing of a key; a valid one costs a look into the database every two seconds.
   *
   * @returns the name, or `undefined` when the key is unknown or revoked
   */
  async findName(key: string): Promise<string | undefined> {
    const hash = hashApiKey(key);
    const fixed = this.#fixed.get(hash);
    if (fixed !== undefined) return fixed;
    if (!isWellFormedApiKey(key)) return undefined;
    const looked = this.#looked.get(hash);
    if (looked && performance.now() < looked.until) return looked.name;
    return this.#lookUp(hash);
  }

  #lookUp(hash: string): Promise<string | undefined> {
    const forget = () => this.#looked.delete(hash);
    const name = this.#database.read((db) => findKeyName(db, hash));
    this.#looked.set(hash, { name, until: performance.now() + TRUST_MS });
    // Only valid keys are kept: their number is bounded, that of guesses is not.
    name.then((found) => found ?? forget(), forget);
    return name;
  }
}
