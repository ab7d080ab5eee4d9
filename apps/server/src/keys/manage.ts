import type { Scope } from '@petstore/contract';
import type { Database } from '../database/database.ts';
import { OperatorError } from '../operator-error.ts';
import { generateApiKey, hashApiKey } from './api-key.ts';
import {
  endKeys,
  insertKey,
  insertSuccessorKey,
  type KeyTimes,
  limitKeys,
  listKeys,
  toTime,
} from './repository.ts';

export const isKeyName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);

interface IssueOptions {
  /** When the key expires, in milliseconds since 1970. */
  endsAt?: number | undefined;
  /** @default a new key */
  key?: string;
}

/**
 * Issues a key under a name, for which `isKeyName` holds.
 * @param options.rateLimit `<requests>/<seconds>` or `none` @default the limit of the configuration
 * @param options.endsAt @default never
 * @throws OperatorError when the name has a valid key already
 */
export async function createKey(
  database: Database,
  name: string,
  options: IssueOptions & { scope?: Scope; rateLimit?: string | undefined } = {},
): Promise<string> {
  const { scope = 'write', rateLimit, endsAt, key = generateApiKey() } = options;
  const issued = { hash: hashApiKey(key), name, scope, rateLimit, createdAt: Date.now(), endsAt };
  const added = await database.query(insertKey(issued));
  if (added.length === 0) throw new OperatorError(`"${name}" has a valid key already: rotate or revoke it`);
  return key;
}

interface RotatedKey {
  key: string;
  /** In milliseconds since 1970. */
  endsAt: number | undefined;
  previousEndsAt: number;
}

/**
 * Replaces the key of a name in one transaction. The new key has the scope and the rate limit of the old one.
 * @param options.graceMs for how long the old key stays valid @default 0
 * @param options.endsAt @default the new key is valid for as long as the old one was
 * @throws OperatorError when the name has no valid key
 */
export async function rotateKey(
  database: Database,
  name: string,
  { graceMs = 0, endsAt, key = generateApiKey() }: IssueOptions & { graceMs?: number } = {},
): Promise<RotatedKey> {
  const [hash, now] = [hashApiKey(key), Date.now()];
  const [added, ended = []] = await database.transact([
    insertSuccessorKey({ hash, name, now, endsAt }),
    endKeys({ name, now, time: now + graceMs, except: hash }),
  ]);
  const issued = newestOf(name, added);
  const previous = newestOf(name, ended);
  return { key, endsAt: toTime(issued.ends_at), previousEndsAt: Number(previous.ends_at) };
}

/**
 * Revokes the valid keys of a name: running servers refuse them within seconds.
 * @throws OperatorError when the name has no valid key
 */
export async function revokeKeysOf(database: Database, name: string): Promise<void> {
  const now = Date.now();
  newestOf(name, await database.query(endKeys({ name, now, time: now, except: '' })));
}

/**
 * Gives the valid keys of a name another rate limit.
 * @param rateLimit `<requests>/<seconds>` or `none` @default the limit of the configuration
 * @throws OperatorError when the name has no valid key
 */
export async function limitKeysOf(
  database: Database,
  name: string,
  rateLimit: string | undefined,
): Promise<void> {
  newestOf(name, await database.query(limitKeys({ name, now: Date.now(), rateLimit })));
}

/** @throws OperatorError when there is no key */
function newestOf(name: string, keys: readonly KeyTimes[] = []): KeyTimes {
  const [newest] = keys.toSorted((one, other) => Number(other.created_at) - Number(one.created_at));
  if (newest === undefined) throw new OperatorError(`"${name}" has no valid key`);
  return newest;
}

/** Revoked and expired keys count as well. */
export const hasKeys = async (database: Database): Promise<boolean> => (await listKeys(database)).length > 0;

/** Issues a key, unless the database has ever had one. When several servers start together, one of them issues it. */
export async function createFirstKey(database: Database): Promise<string | undefined> {
  if (await hasKeys(database)) return undefined;
  return createKey(database, 'first').catch((error: unknown) => {
    if (error instanceof OperatorError) return undefined;
    throw error;
  });
}
