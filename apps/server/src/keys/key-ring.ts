import type { Scope } from '@petstore/contract';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { hashApiKey, isWellFormedApiKey } from './api-key.ts';
import type { LastUse } from './last-use.ts';
import { findKey, isValidAt, type StoredKey } from './repository.ts';

/** A revoked key is refused within five seconds: what was looked up is trusted for less. */
const TRUST_MS = 2_000;

/** The log has one line in this time for each key that is used after its end. */
const LOG_INTERVAL_MS = 60_000;

/** A valid API key, as far as requests need it. */
export interface ApiKey {
  /** As the log names it. */
  readonly name: string;
  /** Whose Idempotency-Keys are one set: stays the same when a key is rotated. */
  readonly owner: string;
  readonly scope: Scope;
}

/** Finds the API key that a token is. */
export class KeyRing {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #lastUse: LastUse;
  readonly #fixed: ReadonlyMap<string, ApiKey>;
  readonly #trusted = new Map<string, { key: ApiKey; until: number }>();
  readonly #lookups = new Map<string, Promise<ApiKey | undefined>>();
  /** Until when no further use of a key after its end is logged. */
  readonly #quietUntil = new Map<string, number>();

  /** @param fixedKeys keys from the configuration, valid beside those in the database */
  constructor(
    { database, logger, lastUse }: { database: Database; logger: Logger; lastUse: LastUse },
    fixedKeys: readonly string[],
  ) {
    this.#database = database;
    this.#logger = logger;
    this.#lastUse = lastUse;
    // Log names are counted: part of a digest would tell a reader of the log whether a guess is right.
    this.#fixed = new Map(
      fixedKeys.map((key, index) => {
        const hash = hashApiKey(key);
        return [hash, { name: `env-${index + 1}`, owner: `env-${hash}`, scope: 'write' }];
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
   * @returns `undefined` when the key is unknown, revoked or expired
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
    const start = performance.now();
    try {
      const stored = await findKey(this.#database, hash);
      const now = Date.now();
      if (stored === undefined || !isValidAt(stored, now)) {
        // Only valid keys are trusted: their number is bounded, that of guesses is not.
        this.#trusted.delete(hash);
        if (stored !== undefined) this.#logEnded(hash, stored);
        return undefined;
      }
      const { name, scope, endsAt = Number.POSITIVE_INFINITY, lastUsedAt } = stored;
      const key = { name, owner: name, scope };
      this.#trusted.set(hash, { key, until: start + Math.min(TRUST_MS, endsAt - now) });
      // A key that is in use is looked up every few seconds, which is often enough for the hour of its last use.
      this.#lastUse.note(hash, lastUsedAt, now);
      return key;
    } finally {
      this.#lookups.delete(hash);
    }
  }

  /** Callers get the same response for a key that has ended as for an unknown one; the log names the former. */
  #logEnded(hash: string, { name, endsAt = 0 }: StoredKey): void {
    const now = performance.now();
    if (now < (this.#quietUntil.get(hash) ?? 0)) return;
    this.#quietUntil.set(hash, now + LOG_INTERVAL_MS);
    this.#logger.warn(
      { key: name, ended: new Date(endsAt).toISOString() },
      'An API key is used that was revoked or has expired',
    );
  }
}
