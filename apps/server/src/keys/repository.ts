import type { Selectable } from 'kysely';
import type { Session } from '../database/database.ts';
import { Query } from '../database/query.ts';
import type { Tables } from '../database/schema.ts';

export type ApiKeyRow = Selectable<Tables['api_keys']>;

const selectNameByHash = new Query({ hash: 'text' }, (db, $) =>
  db.selectFrom('api_keys').select('name').where('hash', '=', $('hash')).where('revoked_at', 'is', null),
);

/** The name of the valid key with this digest, or `undefined`. */
export async function findKeyName(session: Session, hash: string): Promise<string | undefined> {
  const [row] = await session.query(selectNameByHash, { hash });
  return row?.name;
}

// Not `selectAll`: PostgreSQL refuses to run it prepared once a newer release has added a column.
const selectAll = new Query({}, (db) =>
  db.selectFrom('api_keys').select(['name', 'hash', 'created_at', 'revoked_at']).orderBy('created_at'),
);

/** All keys, the revoked ones too, oldest first. */
export const listKeys = (session: Session): Promise<ApiKeyRow[]> => session.query(selectAll, {});

const insert = new Query({ name: 'text', hash: 'text', createdAt: 'int64' }, (db, _$, rows) =>
  db.insertInto('api_keys').columns(['name', 'hash', 'created_at']).expression(rows),
);

/** Adds a key; the name must have no other valid one. */
export async function insertKey(session: Session, key: { name: string; hash: string }): Promise<void> {
  await session.query(insert, { ...key, createdAt: Date.now() });
}

const selectByName = new Query({ name: 'text' }, (db, $) =>
  db.selectFrom('api_keys').select('name').where('name', '=', $('name')).where('revoked_at', 'is', null),
);

/** Whether the name has a valid key. */
export async function isNameTaken(session: Session, name: string): Promise<boolean> {
  return (await session.query(selectByName, { name })).length > 0;
}

const revoke = new Query({ name: 'text', now: 'int64' }, (db, $) =>
  db
    .updateTable('api_keys')
    .set({ revoked_at: $('now') })
    .where('name', '=', $('name'))
    .where('revoked_at', 'is', null)
    .returning('name'),
);

/**
 * Revokes the valid key of a name.
 *
 * @returns whether there was one
 */
export async function revokeKey(session: Session, name: string): Promise<boolean> {
  return (await session.query(revoke, { name, now: Date.now() })).length > 0;
}
