import type { Scope } from '@petstore/contract';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { OperatorError } from '../process/operator-error.ts';
import { generateApiKey, hashApiKey } from './api-key.ts';
import { endKeys, findValidKey, hasKeys, insertKey, saveRateLimit } from './repository.ts';

interface IssueOptions {
  /** When the key expires, in milliseconds since 1970. */
  endsAt?: number | undefined;
  /** The key to issue, from a caller that shows it even if the database does not confirm it. @default a new key */
  key?: string;
}

/**
 * Issues a key under a name.
 * @param options.rateLimit `<requests>/<seconds>` or `none` @default the limit of the configuration
 * @param options.endsAt @default never
 * @throws OperatorError when the name has a valid key already
 */
export async function createKey(
  db: Kysely<Tables>,
  name: string,
  options: IssueOptions & { scope?: Scope; rateLimit?: string | undefined } = {},
): Promise<string> {
  const { scope = 'write', rateLimit = null, endsAt = null, key = generateApiKey() } = options;
  const [hash, now] = [hashApiKey(key), Date.now()];
  await db.transaction().execute(async (transaction) => {
    if ((await findValidKey(transaction, name, now)) !== undefined) {
      throw new OperatorError(`"${name}" has a valid key already: rotate or revoke it`);
    }
    const row = { hash, name, scope, rate_limit: rateLimit, created_at: now, ends_at: endsAt };
    await insertKey(transaction, row);
  });
  return key;
}

/**
 * Replaces the key of a name in one transaction. The new key has the scope and the rate limit of the old one.
 * @param options.graceMs for how long the old key stays valid @default 0
 * @param options.endsAt @default the new key is valid for as long as the old one was
 * @returns the new key, and when both end, in milliseconds since 1970
 * @throws OperatorError when the name has no valid key
 */
export async function rotateKey(
  db: Kysely<Tables>,
  name: string,
  { graceMs = 0, endsAt, key = generateApiKey() }: IssueOptions & { graceMs?: number } = {},
) {
  const [hash, now] = [hashApiKey(key), Date.now()];
  return db.transaction().execute(async (transaction) => {
    const current = await findValidKey(transaction, name, now);
    if (current === undefined) throw noValidKey(name);
    const { scope, rate_limit, created_at, ends_at } = current;
    const newEndsAt = endsAt ?? (ends_at === null ? null : now + Number(ends_at) - Number(created_at));
    await insertKey(transaction, { hash, name, scope, rate_limit, created_at: now, ends_at: newEndsAt });
    await endKeys(transaction, name, { now, endsAt: now + graceMs, except: hash });
    const previousEndsAt = Math.min(now + graceMs, Number(ends_at ?? Infinity));
    return { key, endsAt: newEndsAt ?? undefined, previousEndsAt };
  });
}

/**
 * Revokes the valid keys of a name: running servers refuse them within seconds.
 * @returns their number
 * @throws OperatorError when the name has no valid key
 */
export async function revokeKeysOf(db: Kysely<Tables>, name: string): Promise<bigint> {
  const now = Date.now();
  const count = await endKeys(db, name, { now, endsAt: now });
  if (count === 0n) throw noValidKey(name);
  return count;
}

/**
 * Gives the valid keys of a name another rate limit.
 * @param rateLimit `<requests>/<seconds>` or `none` @default the limit of the configuration
 * @throws OperatorError when the name has no valid key
 */
export async function setRateLimit(db: Kysely<Tables>, name: string, rateLimit?: string): Promise<void> {
  if ((await saveRateLimit(db, name, rateLimit ?? null)) === 0n) throw noValidKey(name);
}

const noValidKey = (name: string) => new OperatorError(`"${name}" has no valid key`);

/** Issues a key, unless the database has ever had one. Of several servers, one issues it: transactions take turns. */
export async function createFirstKey(db: Kysely<Tables>): Promise<string | undefined> {
  if (await hasKeys(db)) return undefined;
  return createKey(db, 'first').catch((error: unknown) => {
    if (error instanceof OperatorError) return undefined;
    throw error;
  });
}
