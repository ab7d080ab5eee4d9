import type { Int64, Scope } from '@petstore/contract';
import type { Selectable } from 'kysely';
import type { Session } from '../database/database.ts';
import { query, type Tables } from '../tables.ts';

/** A key as it is stored. Times are milliseconds since 1970. */
export interface StoredKey {
  /** Its digest, which identifies it. */
  hash: string;
  name: string;
  scope: Scope;
  /** `<requests>/<seconds>`, or `none`; `undefined` for that of the configuration. */
  rateLimit: string | undefined;
  createdAt: number;
  /** The operator who has issued it, as `user@host`. */
  createdBy: string | undefined;
  /** From when on it is refused; `undefined` when that is not known yet. */
  endsAt: number | undefined;
  /** When an operator revoked or rotated it; `undefined` also for a key that expires by itself. */
  revokedAt: number | undefined;
  revokedBy: string | undefined;
  /** The hour of its last use. */
  lastUsedAt: number | undefined;
}

/**
 * A time that never comes. A release that knows the first migration alone knows neither scopes nor ends: it takes a key
 * while `revoked_at` is null, whatever time is in it. So a key that may only read has this time when it has no end.
 */
const NEVER = Date.UTC(9999, 11, 31);

/** Stored for a key without a rate limit, whatever that of the configuration is. */
export const NO_LIMIT = 'none';

const COLUMNS = [
  'hash',
  'name',
  'scope',
  'rate_limit',
  'created_at',
  'created_by',
  'revoked_at',
  'revocation_at',
  'revoked_by',
  'last_used_at',
] as const;

function toStoredKey(row: Pick<Selectable<Tables['api_keys']>, (typeof COLUMNS)[number]>): StoredKey {
  const endsAt = toTime(row.revoked_at) ?? NEVER;
  return {
    hash: row.hash,
    name: row.name,
    // A scope of a newer release gets the least.
    scope: row.scope === 'write' ? 'write' : 'read',
    rateLimit: row.rate_limit ?? undefined,
    createdAt: Number(row.created_at),
    createdBy: row.created_by ?? undefined,
    endsAt: endsAt >= NEVER ? undefined : endsAt,
    revokedAt: toTime(row.revocation_at),
    revokedBy: row.revoked_by ?? undefined,
    lastUsedAt: toTime(row.last_used_at),
  };
}

const toTime = (value: Int64 | null) => (value === null ? undefined : Number(value));

/** Whether a key is accepted at a time. */
export const isValidAt = ({ endsAt }: StoredKey, time: number): boolean =>
  endsAt === undefined || endsAt > time;

const selectByHash = query(
  { hash: 'text' },
  (db, $) => db.selectFrom('api_keys').select(COLUMNS).where('hash', '=', $('hash')),
  { maxRows: 1 },
);

/** The key with this digest, valid or not. */
export async function findKey(session: Session, hash: string): Promise<StoredKey | undefined> {
  const [row] = await session.query(selectByHash, { hash });
  return row && toStoredKey(row);
}

const selectAll = query({}, (db) => db.selectFrom('api_keys').select(COLUMNS).orderBy('created_at'));

/** All keys, also those that are no longer valid, oldest first. */
export async function listKeys(session: Session): Promise<StoredKey[]> {
  return (await session.query(selectAll, {})).map(toStoredKey);
}

/** The keys of a name that are valid at a time, oldest first. */
export async function findValidKeys(session: Session, name: string, time: number): Promise<StoredKey[]> {
  return (await listKeys(session)).filter((key) => key.name === name && isValidAt(key, time));
}

const insert = query(
  {
    hash: 'text',
    name: 'text',
    scope: 'text',
    rateLimit: 'text',
    createdAt: 'int64',
    createdBy: 'text',
    end: 'int64',
  },
  (db, $) =>
    db.insertInto('api_keys').values({
      hash: $('hash'),
      name: $('name'),
      scope: $('scope'),
      rate_limit: $('rateLimit'),
      created_at: $('createdAt'),
      created_by: $('createdBy'),
      revoked_at: $('end'),
    }),
);

/** A key to issue. */
type NewKey = Pick<StoredKey, 'hash' | 'name' | 'scope' | 'createdAt' | 'createdBy'> &
  Partial<Pick<StoredKey, 'rateLimit' | 'endsAt'>>;

/** Adds a key. */
export async function insertKey(session: Session, { endsAt, ...key }: NewKey): Promise<void> {
  await session.query(insert, { ...key, end: toEnd(key.scope, endsAt) });
}

const update = query(
  { hash: 'text', end: 'int64', revokedAt: 'int64', revokedBy: 'text', rateLimit: 'text' },
  (db, $) =>
    db
      .updateTable('api_keys')
      .set({
        revoked_at: $('end'),
        revocation_at: $('revokedAt'),
        revoked_by: $('revokedBy'),
        rate_limit: $('rateLimit'),
      })
      .where('hash', '=', $('hash')),
);

/** Saves what can change of a key: its end and its rate limit. */
export async function updateKey(session: Session, key: StoredKey): Promise<void> {
  const { hash, scope, endsAt, revokedAt, revokedBy, rateLimit } = key;
  await session.query(update, { hash, end: toEnd(scope, endsAt), revokedAt, revokedBy, rateLimit });
}

const toEnd = (scope: Scope, endsAt: number | undefined) => endsAt ?? (scope === 'read' ? NEVER : null);

const updateLastUse = query({ hash: 'text', lastUsedAt: 'int64' }, (db, $) =>
  db
    .updateTable('api_keys')
    .set({ last_used_at: $('lastUsedAt') })
    .where('hash', '=', $('hash')),
);

/** Saves when keys, given by their digests, were used last. */
export async function saveLastUses(
  transaction: Session,
  lastUses: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [hash, lastUsedAt] of lastUses) await transaction.query(updateLastUse, { hash, lastUsedAt });
}
