import type { Scope } from '@petstore/contract';
import type { Database, Session } from '../database/database.ts';
import { OperatorError } from '../operator-error.ts';
import { generateApiKey, hashApiKey } from './api-key.ts';
import { findValidKeys, insertKey, listKeys, type StoredKey, updateKey } from './repository.ts';

/** Whether a text is well-formed as the name of a key. */
export const isKeyName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);

/** What an operator asks for. */
interface IssueOptions {
  /** When the key expires, in milliseconds since 1970. */
  endsAt?: number | undefined;
  /** The key itself, where the caller has made it. */
  key?: string;
}

/**
 * Issues a key under a name.
 *
 * @param options.scope what it may do @default 'write'
 * @param options.rateLimit `<requests>/<seconds>` or `none` @default that of the configuration
 * @param options.endsAt when it expires @default never
 * @param name one for which `isKeyName` holds
 * @throws OperatorError when the name has a valid key already
 */
export async function createKey(
  database: Database,
  name: string,
  options: IssueOptions & { scope?: Scope; rateLimit?: string | undefined } = {},
): Promise<string> {
  const { scope = 'write', rateLimit, endsAt, key = generateApiKey() } = options;
  await database.transact(async (transaction) => {
    const createdAt = Date.now();
    if ((await findValidKeys(transaction, name, createdAt)).length > 0) {
      throw new OperatorError(`"${name}" has a valid key already: rotate or revoke it`);
    }
    const hash = hashApiKey(key);
    await insertKey(transaction, { hash, name, scope, rateLimit, createdAt, endsAt });
  });
  return key;
}

/** A key that was issued in place of another. */
interface RotatedKey {
  /** The key, which cannot be shown again. */
  key: string;
  /** When it expires, in milliseconds since 1970. */
  endsAt: number | undefined;
  /** When the key before it ends, in milliseconds since 1970. */
  previousEndsAt: number;
}

/**
 * Issues a new key under a name, with the scope and the rate limit of the present one, and lets that one end: in one
 * transaction.
 *
 * @param options.graceMs for how long the present key stays valid @default 0
 * @param options.endsAt when the new key expires; when left out, it is issued for as long as the present one was
 * @throws OperatorError when the name has no valid key
 */
export function rotateKey(
  database: Database,
  name: string,
  { graceMs = 0, endsAt, key = generateApiKey() }: IssueOptions & { graceMs?: number } = {},
): Promise<RotatedKey> {
  return database.transact(async (transaction) => {
    const now = Date.now();
    const present = await endKeys(transaction, name, now + graceMs);
    const inherited = present.endsAt && now + (present.endsAt - present.createdAt);
    const issued = { ...present, hash: hashApiKey(key), createdAt: now, endsAt: endsAt ?? inherited };
    await insertKey(transaction, issued);
    return {
      key,
      endsAt: issued.endsAt,
      previousEndsAt: Math.min(present.endsAt ?? Number.POSITIVE_INFINITY, now + graceMs),
    };
  });
}

/**
 * Revokes the valid keys of a name: running servers refuse them within seconds.
 *
 * @throws OperatorError when the name has no valid key
 */
export async function revokeKeysOf(database: Database, name: string): Promise<void> {
  await database.transact((transaction) => endKeys(transaction, name, Date.now()));
}

/**
 * Lets the valid keys of a name end at a time, but for those that end earlier by themselves.
 *
 * @returns the newest, as it was before
 */
const endKeys = (transaction: Session, name: string, time: number): Promise<StoredKey> =>
  changeKeys(transaction, name, (key) => ({ ...key, endsAt: Math.min(key.endsAt ?? time, time) }));

/**
 * Gives the valid keys of a name another rate limit.
 *
 * @param rateLimit `<requests>/<seconds>` or `none`; `undefined` is that of the configuration
 * @throws OperatorError when the name has no valid key
 */
export async function limitKeysOf(
  database: Database,
  name: string,
  rateLimit: string | undefined,
): Promise<void> {
  await database.transact((transaction) => changeKeys(transaction, name, (key) => ({ ...key, rateLimit })));
}

/** @returns the newest of the valid keys, as it was before */
async function changeKeys(transaction: Session, name: string, change: (key: StoredKey) => StoredKey) {
  const keys = await findValidKeys(transaction, name, Date.now());
  const newest = keys.at(-1);
  if (newest === undefined) throw new OperatorError(`"${name}" has no valid key`);
  for (const key of keys) await updateKey(transaction, change(key));
  return newest;
}

/** Whether the database has ever had a key, a revoked one included. */
export const hasKeys = async (session: Session): Promise<boolean> => (await listKeys(session)).length > 0;

/**
 * Issues the key of a first start, unless the database has ever had one. When several servers start at the same
 * time, one of them issues it.
 *
 * @returns the key, which cannot be shown again
 */
export async function createFirstKey(database: Database): Promise<string | undefined> {
  if (await hasKeys(database)) return undefined;
  const key = generateApiKey();
  return database.transact(async (transaction) => {
    if (await hasKeys(transaction)) return undefined;
    await insertKey(transaction, {
      hash: hashApiKey(key),
      name: 'first',
      scope: 'write',
      rateLimit: undefined,
      createdAt: Date.now(),
      endsAt: undefined,
    });
    return key;
  });
}
