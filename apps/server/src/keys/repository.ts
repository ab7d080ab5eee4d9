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
  /** From when on it is refused: when it expires, was rotated out or revoked; `undefined` when that is not known yet. */
  endsAt: number | undefined;
  /** The hour of its last use. */
  lastUsedAt: number | undefined;
}

/** Stored for a key without a rate limit, whatever that of the configuration is. */
export const NO_LIMIT = 'none';

const COLUMNS = ['hash', 'name', 'scope', 'rate_limit', 'created_at', 'ends_at', 'last_used_at'] as const;

function toStoredKey(row: Pick<Selectable<Tables['api_keys']>, (typeof COLUMNS)[number]>): StoredKey {
  return {
    hash: row.hash,
    name: row.name,
    // A scope of a newer release gets the least.
    scope: row.scope === 'write' ? 'write' : 'read',
    rateLimit: row.rate_limit ?? undefined,
    createdAt: Number(row.created_at),
    endsAt: toTime(row.ends_at),
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
    endsAt: 'int64',
  },
  (db, $) =>
    db.insertInto('api_keys').values({
      hash: $('hash'),
      name: $('name'),
      scope: $('scope'),
      rate_limit: $('rateLimit'),
      created_at: $('createdAt'),
      ends_at: $('endsAt'),
    }),
);

/** Adds a key, which was not used yet. */
export async function insertKey(session: Session, key: Omit<StoredKey, 'lastUsedAt'>): Promise<void> {
  await session.query(insert, key);
}

const update = query({ hash: 'text', endsAt: 'int64', rateLimit: 'text' }, (db, $) =>
  db
    .updateTable('api_keys')
    .set({ ends_at: $('endsAt'), rate_limit: $('rateLimit') })
    .where('hash', '=', $('hash')),
);

/** Saves what can change of a key: its end and its rate limit. */
export async function updateKey(session: Session, { hash, endsAt, rateLimit }: StoredKey): Promise<void> {
  await session.query(update, { hash, endsAt, rateLimit });
}

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
