import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import { type Placeholders, prepared } from '../database/prepared.ts';
import type { ApiKeysTable, Tables } from '../database/tables.ts';

/** A key as it is stored. A newer release may have stored a scope or a rate limit that this release does not know. */
export type StoredKey = Selectable<ApiKeysTable>;

/** The stored rate limit of a key that is not limited. */
export const NO_LIMIT = 'none';

const COLUMNS = [
  'hash',
  'name',
  'scope',
  'rate_limit',
  'created_at',
  'ends_at',
  'end_reason',
  'last_used_at',
] as const;

/** A revoked key stays invalid, whatever the clocks of the command and of a server say. */
export const isValidAt = ({ ends_at, end_reason }: StoredKey, time: number): boolean =>
  end_reason !== 'revoked' && (ends_at === null || ends_at > time);

const keyByHash = prepared((db, { hash }: Placeholders<{ hash: string }>) =>
  db.selectFrom('api_keys').select(COLUMNS).where('hash', '=', hash),
);

export const findKey = async (db: Kysely<Tables>, hash: string): Promise<StoredKey | undefined> =>
  (await keyByHash(db, { hash }))[0];

/** All keys, also those that have ended, oldest first. */
export const listKeys = (db: Kysely<Tables>): Promise<StoredKey[]> =>
  db.selectFrom('api_keys').select(COLUMNS).orderBy('created_at').execute();

/** Revoked and expired keys count as well. */
export const hasKeys = async (db: Kysely<Tables>): Promise<boolean> =>
  (await db.selectFrom('api_keys').select('hash').limit(1).execute()).length > 0;

/** `isValidAt` in SQL, for the keys of a name. */
const isValidKeyOf =
  (name: string, time: number) =>
  ({ and, eb, or }: ExpressionBuilder<Tables, 'api_keys'>) =>
    and([
      eb('name', '=', name),
      eb('end_reason', 'is distinct from', 'revoked'),
      or([eb('ends_at', 'is', null), eb('ends_at', '>', time)]),
    ]);

/**
 * The newest valid key of a name. Keys marked `rotated` come last, because the clock may have been moved back before
 * their successors were created. A key that expires before its grace period is over has no mark (see `endKeys`).
 */
export const findValidKey = (db: Kysely<Tables>, name: string, time: number) =>
  db
    .selectFrom('api_keys')
    .select(COLUMNS)
    .where(isValidKeyOf(name, time))
    .orderBy(({ eb }) => eb('end_reason', 'is not distinct from', 'rotated'))
    .orderBy('created_at', 'desc')
    .executeTakeFirst();

export const insertKey = (db: Kysely<Tables>, key: Omit<StoredKey, 'end_reason' | 'last_used_at'>) =>
  db
    .insertInto('api_keys')
    // Stored in advance, because no statement runs when a key expires.
    .values({ ...key, end_reason: key.ends_at === null ? null : 'expired' })
    .execute();

/**
 * Ends the valid keys of a name. Keys that end now are revoked: see `isValidAt`. A key that ends before `endsAt` stays
 * unchanged, and so does the key with the hash `except`.
 * @returns the number of keys
 */
export async function endKeys(
  db: Kysely<Tables>,
  name: string,
  { now, endsAt, except = '' }: { now: number; endsAt: number; except?: string },
): Promise<bigint> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ ends_at: endsAt, end_reason: endsAt > now ? 'rotated' : 'revoked' })
    .where(isValidKeyOf(name, now))
    .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', endsAt)]))
    .where('hash', '<>', except)
    .executeTakeFirst();
  return numUpdatedRows;
}

/** Gives the valid keys of a name another rate limit; `null`: the configured one. @returns the number of keys */
export async function saveRateLimit(db: Kysely<Tables>, name: string, limit: string | null): Promise<bigint> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ rate_limit: limit })
    .where(isValidKeyOf(name, Date.now()))
    .executeTakeFirst();
  return numUpdatedRows;
}

export const saveLastUse = (db: Kysely<Tables>, hash: string, lastUsedAt: number) =>
  db.updateTable('api_keys').set({ last_used_at: lastUsedAt }).where('hash', '=', hash).execute();
