import type { Int64, Scope } from '@petstore/contract';
import { type Expression, type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { int64, text } from '../database/query.ts';
import { query, type Tables } from '../tables.ts';

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
  lastUsedAt: number | undefined;
}

/** The stored rate limit of a key that is not limited. */
export const NO_LIMIT = 'none';

const COLUMNS = ['hash', 'name', 'scope', 'rate_limit', 'created_at', 'ends_at', 'last_used_at'] as const;

function toStoredKey(row: Pick<Selectable<Tables['api_keys']>, (typeof COLUMNS)[number]>): StoredKey {
  const createdAt = Number(row.created_at);
  return {
    hash: row.hash,
    name: row.name,
    // A scope of a newer release counts as the smallest scope.
    scope: row.scope === 'write' ? 'write' : 'read',
    rateLimit: row.rate_limit ?? undefined,
    createdAt,
    endsAt: toTime(row.ends_at),
    // The hour of the last use may begin before the key was created.
    lastUsedAt: row.last_used_at === null ? undefined : Math.max(createdAt, Number(row.last_used_at)),
  };
}

export const toTime = (value: Int64 | null) => (value === null ? undefined : Number(value));

export const isValidAt = ({ endsAt }: StoredKey, time: number): boolean =>
  endsAt === undefined || endsAt > time;

const selectByHash = query(
  { hash: text },
  (db, $) => db.selectFrom('api_keys').select(COLUMNS).where('hash', '=', $('hash')),
  { maxRows: 1 },
);

export async function findKey(database: Database, hash: string): Promise<StoredKey | undefined> {
  const [row] = await database.query(selectByHash({ hash }));
  return row && toStoredKey(row);
}

const selectAll = query({}, (db) => db.selectFrom('api_keys').select(COLUMNS).orderBy('created_at'));

/** All keys, also those that have ended, oldest first. */
export async function listKeys(database: Database): Promise<StoredKey[]> {
  return (await database.query(selectAll({}))).map(toStoredKey);
}

const isValidOf = (name: Expression<string>, time: Expression<Int64>) =>
  sql`name = ${name} and (ends_at is null or ends_at > ${time})`;

/** The times of a key that a statement has changed. */
export type KeyTimes = Pick<Selectable<Tables['api_keys']>, 'created_at' | 'ends_at'>;

/** Adds a key, unless its name has a valid one. */
export const insertKey = query(
  { hash: text, name: text, scope: text, rateLimit: text, createdAt: int64, endsAt: int64 },
  (_db, $) => sql<KeyTimes>`
    insert into api_keys (hash, name, scope, rate_limit, created_at, ends_at)
    select ${$('hash')}, ${$('name')}, ${$('scope')}, ${$('rateLimit')}, ${$('createdAt')}, ${$('endsAt')}
    where not exists (select 1 from api_keys where ${isValidOf($('name'), $('createdAt'))})
    returning created_at, ends_at`,
);

/**
 * Adds a key with the scope and the rate limit of the newest valid key of its name, if there is one. Without `endsAt`
 * it is valid for as long as that key was.
 */
export const insertSuccessorKey = query(
  { hash: text, name: text, now: int64, endsAt: int64 },
  (_db, $) => sql<KeyTimes>`
    insert into api_keys (hash, name, scope, rate_limit, created_at, ends_at)
    select ${$('hash')}, name, scope, rate_limit, ${$('now')}, coalesce(${$('endsAt')}, ${$('now')} + ends_at - created_at)
    from api_keys where ${isValidOf($('name'), $('now'))} order by created_at desc limit 1
    returning created_at, ends_at`,
);

/** Ends the valid keys of a name at `time`. Keys that end earlier, and the key `except`, stay unchanged. */
export const endKeys = query(
  { name: text, now: int64, time: int64, except: text },
  (_db, $) => sql<KeyTimes>`
    update api_keys set ends_at = case when ends_at < ${$('time')} then ends_at else ${$('time')} end
    where ${isValidOf($('name'), $('now'))} and hash <> ${$('except')} returning created_at, ends_at`,
);

export const limitKeys = query(
  { name: text, now: int64, rateLimit: text },
  (_db, $) => sql<KeyTimes>`
    update api_keys set rate_limit = ${$('rateLimit')} where ${isValidOf($('name'), $('now'))}
    returning created_at, ends_at`,
);

export const saveLastUse = query({ hash: text, lastUsedAt: int64 }, (db, $) =>
  db
    .updateTable('api_keys')
    .set({ last_used_at: $('lastUsedAt') })
    .where('hash', '=', $('hash')),
);
