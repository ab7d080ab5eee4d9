import type { Scope } from '@petstore/contract';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../database/tables.ts';
import { RateLimitText } from '../process/config.ts';
import { type ApiKey, hashApiKey, isWellFormedApiKey, type RateLimit } from './api-key.ts';
import { findKey, isValidAt, NO_LIMIT, type StoredKey, saveLastUse } from './repository.ts';

/** How long a valid key is cached. A revoked key must be refused within five seconds. */
const CACHE_MS = 2_000;

/** At most one log line about a key in this time. */
const LOG_INTERVAL_MS = 60_000;

const HOUR_MS = 60 * 60 * 1000;

interface KeyRingParts {
  db: Kysely<Tables>;
  logger: Logger;
  /** Keys of the configuration. They are valid in addition to the keys in the database. */
  fixedKeys: readonly string[];
  /** The limit for keys without a limit of their own. */
  rateLimit: RateLimit | undefined;
}

export class KeyRing {
  readonly #parts: KeyRingParts;
  readonly #fixed: ReadonlyMap<string, ApiKey>;
  readonly #cached = new Map<string, { key: ApiKey; until: number }>();
  readonly #lookups = new Map<string, Promise<ApiKey | undefined>>();
  readonly #quietUntil = new Map<string, number>();

  constructor(parts: KeyRingParts) {
    this.#parts = parts;
    const { fixedKeys, rateLimit } = parts;
    // The name is logged. The owner is not: its digest would let a reader of the log test guesses of the key.
    this.#fixed = new Map(
      fixedKeys.map((key, index) => {
        const hash = hashApiKey(key);
        return [hash, { name: `env-${index + 1}`, owner: `env-${hash}`, scope: 'write', rateLimit }];
      }),
    );
  }

  /**
   * Finds a valid key. It compares digests, so that its duration reveals nothing about a key.
   * @returns `undefined` when the key is unknown, revoked or expired
   */
  async find(token: string): Promise<ApiKey | undefined> {
    const hash = hashApiKey(token);
    const cached = this.#cached.get(hash);
    if (cached && performance.now() < cached.until) return cached.key;
    const fixed = this.#fixed.get(hash);
    if (fixed !== undefined) return fixed;
    if (!isWellFormedApiKey(token)) return undefined;
    const pending = this.#lookups.get(hash);
    if (pending !== undefined) return pending;
    const lookup = this.#lookUp(hash).finally(() => this.#lookups.delete(hash));
    this.#lookups.set(hash, lookup);
    return lookup;
  }

  async #lookUp(hash: string): Promise<ApiKey | undefined> {
    const start = performance.now();
    const stored = await findKey(this.#parts.db, hash);
    const now = Date.now();
    if (stored === undefined || !isValidAt(stored, now)) {
      if (stored !== undefined) this.#logEnded(hash, stored);
      // Invalid tokens are not cached, because their number is unbounded.
      return undefined;
    }
    const { name, created_at, ends_at, last_used_at } = stored;
    // A scope of a newer release counts as the smallest scope.
    const scope: Scope = stored.scope === 'write' ? 'write' : 'read';
    const key = { name, owner: name, scope, rateLimit: this.#rateLimitOf(stored) };
    this.#cached.set(hash, { key, until: start + Math.min(CACHE_MS, Number(ends_at ?? Infinity) - now) });
    // The hour may have begun before the key was created.
    const hour = Math.max(now - (now % HOUR_MS), Number(created_at));
    if (last_used_at === null || last_used_at < hour) void this.#saveLastUse(hash, hour);
    return key;
  }

  /**
   * Saves only the hour of the last use, because each save delays creations and empties the cache of lists. No request
   * waits for this. After a failure the next look-up tries again.
   */
  async #saveLastUse(hash: string, hour: number): Promise<void> {
    const { db, logger } = this.#parts;
    try {
      await saveLastUse(db, hash, hour);
    } catch (err) {
      this.#logRarely(hash, () => logger.error({ err }, 'The last use of an API key could not be saved'));
    }
  }

  #logRarely(hash: string, log: () => void): void {
    const now = performance.now();
    if (now < (this.#quietUntil.get(hash) ?? 0)) return;
    this.#quietUntil.set(hash, now + LOG_INTERVAL_MS);
    log();
  }

  /** A rate limit in the format of a newer release counts as missing. */
  #rateLimitOf({ rate_limit }: StoredKey): RateLimit | undefined {
    if (rate_limit === NO_LIMIT) return undefined;
    return RateLimitText.safeParse(rate_limit).data ?? this.#parts.rateLimit;
  }

  /** Logs the use of a key that has ended. Its caller gets the same response as for an unknown key. */
  #logEnded(hash: string, { name, ends_at }: StoredKey): void {
    const { logger } = this.#parts;
    const members = { key: name, ended: new Date(Number(ends_at)).toISOString() };
    this.#logRarely(hash, () => logger.warn(members, 'An API key is used that was revoked or has expired'));
  }
}
