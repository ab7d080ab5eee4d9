import type { Database } from '../database/database.ts';
import { hashApiKey, isWellFormedApiKey } from './api-key.ts';
import { findKeyName } from './repository.ts';

/** A revoked key is refused within five seconds: what was looked up is trusted for less. */
const TRUST_MS = 2_000;

/** A valid API key, as far as requests need it. */
export interface ApiKey {
  /** As the log names it. */
  readonly name: string;
  /** Whose Idempotency-Keys are one set: stays the same when a key is rotated. */
  readonly owner: string;
}

/** Finds the API key that a token is. */
export class KeyRing {
  readonly #database: Database;
  readonly #fixed: ReadonlyMap<string, ApiKey>;
  readonly #trusted = new Map<string, { key: ApiKey; until: number }>();
  readonly #lookups = new Map<string, Promise<ApiKey | undefined>>();

  /** @param fixedKeys keys from the configuration, valid beside those in the database */
  constructor(database: Database, fixedKeys: readonly string[]) {
    this.#database = database;
    // Log names are counted: part of a digest would tell a reader of the log whether a guess is right.
    this.#fixed = new Map(
      fixedKeys.map((key, index) => {
        const hash = hashApiKey(key);
        return [hash, { name: `env-${index + 1}`, owner: `env-${hash}` }];
      }),
    );
  }

  /**
   * Finds a key that is known to be valid, without asking the database. Keys are compared by their digest,
   * so that the time it takes tells nothing about a key.
   *
   * @returns `undefined` when the key must be looked up
   */
  findTrusted(token: string): ApiKey | undefined {
    return this.#findTrusted(hashApiKey(token));
  }

  /**
   * Finds a valid key, asking the database every two seconds at most.
   *
   * @returns `undefined` when the key is unknown or revoked
   */
  async find(token: string): Promise<ApiKey | undefined> {
    const hash = hashApiKey(token);
    const trusted = this.#findTrusted(hash);
    if (trusted !== undefined || !isWellFormedApiKey(token)) return trusted;
    const lookup = this.#lookups.get(hash) ?? this.#lookUp(hash);
    this.#lookups.set(hash, lookup);
    return lookup;
  }

  #findTrusted(hash: string): ApiKey | undefined {
    const trusted = this.#trusted.get(hash);
    return trusted && performance.now() < trusted.until ? trusted.key : this.#fixed.get(hash);
  }

  async #lookUp(hash: string): Promise<ApiKey | undefined> {
    const until = performance.now() + TRUST_MS;
    try {
      const name = await findKeyName(this.#database, hash);
      // Only valid keys are stored: their number is bounded, that of guesses is not.
      if (name === undefined) {
        this.#trusted.delete(hash);
        return undefined;
      }
      const key = { name, owner: name };
      this.#trusted.set(hash, { key, until });
      return key;
    } finally {
      this.#lookups.delete(hash);
    }
  }
}
