import type { Int64, Scope } from '@petstore/contract';
import type { Session, Transaction } from '../database/database.ts';
import { Query } from '../database/query.ts';

/** A key as it is stored. Times are milliseconds since 1970. */
export interface StoredKey {
  name: string;
  scope: Scope;
  createdAt: number;
  /** From when on it is refused; `undefined` when that is not known yet. */
  endsAt: number | undefined;
  /** The hour of its last use. */
  lastUsedAt: number | undefined;
}

/**
 * A time that never comes. A release that knows the first migration alone knows neither scopes nor ends: it takes a key
 * while `revoked_at` is null, whatever time is in it. So a key that may only read has this time when it has no end.
 */
const NEVER = Date.UTC(9999, 11, 31);

const COLUMNS = ['name', 'scope', 'created_at', 'revoked_at', 'last_used_at'] as const;

interface Row {
  name: string;
  scope: string;
  created_at: Int64;
  revoked_at: Int64 | null;
  last_used_at: Int64 | null;
}

function toStoredKey({ name, scope, created_at, revoked_at, last_used_at }: Row): StoredKey {
  const endsAt = revoked_at === null ? NEVER : Number(revoked_at);
  return {
    name,
    // A scope of a newer release gets the least.
    scope: scope === 'write' ? 'write' : 'read',
    createdAt: Number(created_at),
    endsAt: endsAt >= NEVER ? undefined : endsAt,
    lastUsedAt: last_used_at === null ? undefined : Number(last_used_at),
  };
}

/** Whether a key is accepted at a time. */
export const isValidAt = ({ endsAt }: StoredKey, time: number): boolean =>
  endsAt === undefined || endsAt > time;

const selectByHash = new Query({ hash: 'text' }, (db, $) =>
  db.selectFrom('api_keys').select(COLUMNS).where('hash', '=', $('hash')),
);

/** The key with this digest, valid or not. */
export async function findKey(session: Session, hash: string): Promise<StoredKey | undefined> {
  const [row] = await session.query(selectByHash, { hash });
  return row && toStoredKey(row);
}

const selectAll = new Query({}, (db) => db.selectFrom('api_keys').select(COLUMNS).orderBy('created_at'));

/** All keys, also those that are no longer valid, oldest first. */
export async function listKeys(session: Session): Promise<StoredKey[]> {
  return (await session.query(selectAll, {})).map(toStoredKey);
}

const selectByName = new Query({ name: 'text' }, (db, $) =>
  db.selectFrom('api_keys').select(COLUMNS).where('name', '=', $('name')).orderBy('created_at'),
);

/** The keys of a name that are valid at a time, oldest first. */
export async function findValidKeys(session: Session, name: string, time: number): Promise<StoredKey[]> {
  const rows = await session.query(selectByName, { name });
  return rows.map(toStoredKey).filter((key) => isValidAt(key, time));
}

const insert = new Query(
  { name: 'text', hash: 'text', scope: 'text', createdAt: 'int64', revokedAt: 'int64' },
  (db, _$, rows) =>
    db.insertInto('api_keys').columns(['name', 'hash', 'scope', 'created_at', 'revoked_at']).expression(rows),
);

/** Adds a key. */
export async function insertKey(
  session: Session,
  { endsAt, ...key }: Pick<StoredKey, 'name' | 'scope' | 'createdAt' | 'endsAt'> & { hash: string },
): Promise<void> {
  const revokedAt = endsAt ?? (key.scope === 'read' ? NEVER : null);
  await session.query(insert, { ...key, revokedAt });
}

const updateEnd = new Query({ name: 'text', endsAt: 'int64' }, (db, $) =>
  db
    .updateTable('api_keys')
    .set({ revoked_at: $('endsAt') })
    .where('name', '=', $('name'))
    .where(({ eb, or }) => or([eb('revoked_at', 'is', null), eb('revoked_at', '>', $('endsAt'))]))
    .returning('name'),
);

/**
 * Lets the keys of a name end at a time, but for those that end earlier.
 *
 * @returns whether there were any
 */
export async function endKeys(session: Session, name: string, endsAt: number): Promise<boolean> {
  return (await session.query(updateEnd, { name, endsAt })).length > 0;
}

const updateLastUse = new Query({ hash: 'text', lastUsedAt: 'int64' }, (db, $) =>
  db
    .updateTable('api_keys')
    .set({ last_used_at: $('lastUsedAt') })
    .where('hash', '=', $('hash')),
);

/** Saves when keys, given by their digests, were used last. */
export async function saveLastUses(
  transaction: Transaction,
  lastUses: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [hash, lastUsedAt] of lastUses) await transaction.query(updateLastUse, { hash, lastUsedAt });
}
