import type { Scope } from '@petstore/contract';
import type { ExpressionBuilder, Insertable, Kysely, Selectable } from 'kysely';
import { type Placeholders, prepared } from '../database/prepared.ts';
import type { ApiKeysTable, Tables } from '../database/tables.ts';

/** A key as it is stored. Times are milliseconds since 1970. */
export interface StoredKey {
  hash: string;
  name: string;
  scope: Scope;
  /** `<requests>/<seconds>`, or `none` @default the limit of the configuration */
  rateLimit: string | undefined;
  createdAt: number;
  /** When the key expires, was rotated out or was revoked. */
  endsAt: number | undefined;
  /** @default the key was made or ended by a release that stored no reason */
  endReason: string | undefined;
  lastUsedAt: number | undefined;
}

export type EndReason = 'expired' | 'rotated' | 'revoked';

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

function toStoredKey(row: Selectable<ApiKeysTable>): StoredKey {
  const createdAt = Number(row.created_at);
  return {
    hash: row.hash,
    name: row.name,
    // A scope of a newer release counts as the smallest scope.
    scope: row.scope === 'write' ? 'write' : 'read',
    rateLimit: row.rate_limit ?? undefined,
    createdAt,
    endsAt: row.ends_at === null ? undefined : Number(row.ends_at),
    endReason: row.end_reason ?? undefined,
    // The hour of the last use may begin before the key was created.
    lastUsedAt: row.last_used_at === null ? undefined : Math.max(createdAt, Number(row.last_used_at)),
  };
}

/** A revoked key stays invalid, whatever the clocks of the command and of a server say. */
export const isValidAt = ({ endsAt, endReason }: StoredKey, time: number): boolean =>
  endReason !== 'revoked' && (endsAt === undefined || endsAt > time);

const keyByHash = prepared((db, { hash }: Placeholders<{ hash: string }>) =>
  db.selectFrom('api_keys').select(COLUMNS).where('hash', '=', hash),
);

export async function findKey(db: Kysely<Tables>, hash: string): Promise<StoredKey | undefined> {
  const [row] = await keyByHash(db, { hash });
  return row && toStoredKey(row);
}

/** All keys, also those that have ended, oldest first. */
export async function listKeys(db: Kysely<Tables>): Promise<StoredKey[]> {
  const rows = await db.selectFrom('api_keys').select(COLUMNS).orderBy('created_at').execute();
  return rows.map(toStoredKey);
}

const isValid =
  (name: string, time: number) =>
  ({ and, eb, or }: ExpressionBuilder<Tables, 'api_keys'>) =>
    and([
      eb('name', '=', name),
      eb('end_reason', 'is distinct from', 'revoked'),
      or([eb('ends_at', 'is', null), eb('ends_at', '>', time)]),
    ]);

/**
 * The newest valid key of a name, as it is stored: its scope may be that of a newer release. A rotated key comes last,
 * because its successor counts as older if the clock was moved back.
 */
export const findValidKey = (db: Kysely<Tables>, name: string, time: number) =>
  db
    .selectFrom('api_keys')
    .select(COLUMNS)
    .where(isValid(name, time))
    .orderBy(({ eb }) => eb('end_reason', 'is not distinct from', 'rotated'))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

export const insertKey = (db: Kysely<Tables>, key: Insertable<ApiKeysTable>) =>
  db.insertInto('api_keys').values(key).execute();

/**
 * Ends the valid keys of a name. A key that ends earlier, and the key `except`, stay unchanged.
 * @returns the number of keys
 */
export async function endKeys(
  db: Kysely<Tables>,
  name: string,
  { now, endsAt, reason, except = '' }: { now: number; endsAt: number; reason: EndReason; except?: string },
): Promise<bigint> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ ends_at: endsAt, end_reason: reason })
    .where(isValid(name, now))
    .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', endsAt)]))
    .where('hash', '<>', except)
    .executeTakeFirst();
  return numUpdatedRows;
}

/** @returns the number of keys */
export async function limitKeys(
  db: Kysely<Tables>,
  name: string,
  { now, rateLimit }: { now: number; rateLimit: string | undefined },
): Promise<bigint> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ rate_limit: rateLimit ?? null })
    .where(isValid(name, now))
    .executeTakeFirst();
  return numUpdatedRows;
}

export const saveLastUse = (db: Kysely<Tables>, hash: string, lastUsedAt: number) =>
  db.updateTable('api_keys').set({ last_used_at: lastUsedAt }).where('hash', '=', hash).execute();
