import type { Database, Session } from '../database/database.ts';
import { generateApiKey, hashApiKey } from './api-key.ts';
import { insertKey, isNameTaken, listKeys, revokeKey } from './repository.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A command on keys that cannot be carried out. The message is one line for the operator. */
export class KeyError extends Error {
  override name = 'KeyError';
}

/**
 * Issues a key under a name.
 *
 * @returns the key, which cannot be shown again
 * @throws KeyError when the name is not well-formed or has a valid key already
 */
export async function createKey(database: Database, name: string): Promise<string> {
  if (!NAME.test(name)) {
    throw new KeyError(`"${name}" is not a name for a key: 1 to 64 letters, digits and ._- are allowed`);
  }
  const key = generateApiKey();
  await database.transact(async (transaction) => {
    if (await isNameTaken(transaction, name)) {
      throw new KeyError(`"${name}" has a valid key already: rotate or revoke it`);
    }
    await insertKey(transaction, { name, hash: hashApiKey(key) });
  });
  return key;
}

/**
 * Issues a new key under a name and revokes its present one, in one transaction.
 *
 * @returns the new key
 * @throws KeyError when the name has no valid key
 */
export async function rotateKey(database: Database, name: string): Promise<string> {
  const key = generateApiKey();
  await database.transact(async (transaction) => {
    if (!(await revokeKey(transaction, name))) throw new KeyError(`"${name}" has no valid key`);
    await insertKey(transaction, { name, hash: hashApiKey(key) });
  });
  return key;
}

/**
 * Revokes the valid key of a name: running servers refuse it within seconds.
 *
 * @throws KeyError when the name has no valid key
 */
export async function revokeKeyOf(database: Database, name: string): Promise<void> {
  if (!(await database.transact((transaction) => revokeKey(transaction, name))))
    throw new KeyError(`"${name}" has no valid key`);
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
    await insertKey(transaction, { name: 'first', hash: hashApiKey(key) });
    return key;
  });
}
