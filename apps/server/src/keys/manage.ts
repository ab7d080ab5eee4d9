import type { Scope } from '@petstore/contract';
import type { Database, Session } from '../database/database.ts';
import { OperatorError } from '../operator-error.ts';
import { generateApiKey, hashApiKey } from './api-key.ts';
import { endKeys, findValidKeys, insertKey, listKeys } from './repository.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A key that was issued in place of another. */
export interface RotatedKey {
  /** The key, which cannot be shown again. */
  key: string;
  /** When it expires, in milliseconds since 1970. */
  endsAt: number | undefined;
  /** When the key before it ends, in milliseconds since 1970. */
  previousEndsAt: number;
}

/**
 * Issues a key under a name.
 *
 * @param options.scope what it may do @default 'write'
 * @param options.endsAt when it expires, in milliseconds since 1970; never when left out
 * @throws OperatorError when the name is not well-formed or has a valid key already
 */
export async function createKey(
  database: Database,
  name: string,
  { scope = 'write', endsAt }: { scope?: Scope; endsAt?: number | undefined } = {},
): Promise<string> {
  if (!NAME.test(name)) {
    throw new OperatorError(`"${name}" is not a name for a key: 1 to 64 letters, digits and ._- are allowed`);
  }
  const key = generateApiKey();
  await database.transact(async (transaction) => {
    const createdAt = Date.now();
    if ((await findValidKeys(transaction, name, createdAt)).length > 0) {
      throw new OperatorError(`"${name}" has a valid key already: rotate or revoke it`);
    }
    await insertKey(transaction, { name, scope, createdAt, endsAt, hash: hashApiKey(key) });
  });
  return key;
}

/**
 * Issues a new key under a name, with the scope of the present one, and lets that one end: in one transaction.
 *
 * @param options.graceMs for how long the present key stays valid @default 0
 * @param options.endsAt when the new key expires, in milliseconds since 1970; when left out, it is issued for as long
 *   as the present one was
 * @throws OperatorError when the name has no valid key
 */
export async function rotateKey(
  database: Database,
  name: string,
  { graceMs = 0, endsAt }: { graceMs?: number; endsAt?: number | undefined } = {},
): Promise<RotatedKey> {
  const key = generateApiKey();
  return database.transact(async (transaction) => {
    const createdAt = Date.now();
    const present = (await findValidKeys(transaction, name, createdAt)).at(-1);
    if (present === undefined) throw new OperatorError(`"${name}" has no valid key`);
    const inherited = present.endsAt && createdAt + (present.endsAt - present.createdAt);
    const rotated = {
      key,
      endsAt: endsAt ?? inherited,
      previousEndsAt: Math.min(present.endsAt ?? Number.POSITIVE_INFINITY, createdAt + graceMs),
    };
    await endKeys(transaction, name, rotated.previousEndsAt);
    const issued = { name, scope: present.scope, createdAt, endsAt: rotated.endsAt };
    await insertKey(transaction, { ...issued, hash: hashApiKey(key) });
    return rotated;
  });
}

/**
 * Revokes the valid keys of a name: running servers refuse them within seconds.
 *
 * @throws OperatorError when the name has no valid key
 */
export async function revokeKeysOf(database: Database, name: string): Promise<void> {
  const hadKeys = await database.transact((transaction) => endKeys(transaction, name, Date.now()));
  if (!hadKeys) throw new OperatorError(`"${name}" has no valid key`);
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
    const first = { name: 'first', scope: 'write' as const, createdAt: Date.now(), endsAt: undefined };
    await insertKey(transaction, { ...first, hash: hashApiKey(key) });
    return key;
  });
}
