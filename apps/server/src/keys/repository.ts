import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../database/schema.ts';

export type ApiKeyRow = Selectable<Tables['api_keys']>;

/** The name of the valid key with this digest, or `undefined`. */
export async function findKeyName(db: Kysely<Tables>, hash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select('name')
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row?.name;
}

/** All keys, the revoked ones too, oldest first. */
export const listKeys = (db: Kysely<Tables>): Promise<ApiKeyRow[]> =>
  db.selectFrom('api_keys').selectAll().orderBy('created_at').execute();

/** Adds a key; the name must have no other valid one. */
export async function insertKey(db: Kysely<Tables>, key: { name: string; hash: string }): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({ ...key, created_at: Date.now(), revoked_at: null })
    .execute();
}

/** Whether the name has a valid key. */
export async function isNameTaken(db: Kysely<Tables>, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .select('name')
    .where('name', '=', name)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Revokes the valid key of a name.
 *
 * @returns whether there was one
 */
export async function revokeKey(db: Kysely<Tables>, name: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: Date.now() })
    .where('name', '=', name)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
