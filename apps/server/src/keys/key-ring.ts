import type { Database } from '../database/database.ts';
import { hashApiKey, isWellFormedApiKey } from './api-key.ts';
import { findKeyName } from './repository.ts';

/** A revoked key is refused within five seconds: what was looked up is believed for less. */
const TRUST_MS = 2_000;

/** Tells which caller an API key belongs to. */
export class KeyRing {
  readonly #database: Database;
  readonly #fixed: ReadonlyMap<string, string>;
  readonly #trusted = new Map<string, { name: string; until: number }>();
  readonly #looking = new Map<string, Promise<string | undefined>>();

  /** @param fixedKeys keys from the configuration, valid beside those in the database */
  constructor(database: Database, fixedKeys: readonly string[]) {
    this.#database = database;
    const hashes = fixedKeys.map(hashApiKey);
    this.#fixed = new Map(hashes.map((hash) => [hash, `env-${hash.slice(0, 8)}`]));
  }

  /**
   * Finds the name of a key that is known to be valid, without a look into the database. Keys are
   * compared by their digest, so that the time it takes says nothing of a key.
   *
   * @returns the name, or `undefined` when the key must be looked up
   */
  findTrusted(key: string): string | undefined {
    return this.#findTrusted(hashApiKey(key));
  }

  /**
   * Finds the name of a valid key, with a look into the database every two seconds.
   *
   * @returns the name, or `undefined` when the key is unknown or revoked
   */
  async findName(key: string): Promise<string | undefined> {
    const hash = hashApiKey(key);
    const trusted = this.#findTrusted(hash);
    if (trusted !== undefined || !isWellFormedApiKey(key)) return trusted;
    const looking = this.#looking.get(hash) ?? this.#lookUp(hash);
    this.#looking.set(hash, looking);
    return looking;
  }

  #findTrusted(hash: string): string | undefined {
    const trusted = this.#trusted.get(hash);
    return trusted && performance.now() < trusted.until ? trusted.name : this.#fixed.get(hash);
  }

  async #lookUp(hash: string): Promise<string | undefined> {
    const until = performance.now() + TRUST_MS;
    try {
      const name = await findKeyName(this.#database, hash);
      // Only valid keys are kept: their number is bounded, that of guesses is not.
      if (name === undefined) this.#trusted.delete(hash);
      else this.#trusted.set(hash, { name, until });
      return name;
    } finally {
      this.#looking.delete(hash);
    }
  }
}
