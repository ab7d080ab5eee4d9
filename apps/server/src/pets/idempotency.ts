import { hash } from 'node:crypto';
import { type Int64, NewPet, stringifyJson } from '@petstore/contract';
import type { Database, Session } from '@petstore/database/database';
import * as z from 'zod/mini';
import { query } from '../tables.ts';

/** How long a record is kept at least. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1000;

/** Rows that one statement deletes, so that creations do not wait for it for long. */
const MAX_DELETED_ROWS = 1_000;

// In alphabetical order: that of the contract may change.
const properties = z.keyof(NewPet).options.toSorted();

/** What a pet has where a property was left out: its default in the contract, if there is one. */
const whenLeftOut = new Map<keyof NewPet, unknown>(
  properties.map((property) => [property, NewPet.shape[property].safeParse(undefined).data]),
);

/**
 * A digest that is equal for two bodies of the same NewPet, however they are written. A property that was left out does
 * not count, so that a later release with one more recognises a repetition.
 */
export function fingerprint(pet: NewPet): string {
  const given = properties.filter((property) => pet[property] !== whenLeftOut.get(property));
  return hash('sha256', stringifyJson(given.map((property) => [property, pet[property]])), 'base64url');
}

const deleteOne = query({ key: 'text', petId: 'int64' }, (db, $) =>
  db.deleteFrom('idempotency_keys').where('key', '=', $('key')).where('pet_id', '=', $('petId')),
);

/** Deletes the record of a key, unless the key has added another pet meanwhile. */
export async function deleteRecord(
  database: Pick<Database, 'transact'>,
  key: string,
  petId: Int64,
): Promise<void> {
  await database.transact((transaction) => transaction.query(deleteOne, { key, petId }));
}

const deleteRecords = query({ createdBefore: 'int64', limit: 'int64' }, (db, $) =>
  db
    .deleteFrom('idempotency_keys')
    .where('key', 'in', (expired) =>
      expired
        .selectFrom('idempotency_keys')
        .select('key')
        .where('created_at', '<', $('createdBefore'))
        .orderBy('created_at')
        .limit($('limit')),
    )
    .returning('key'),
);

/**
 * Deletes records that are older than the retention, some at a time.
 *
 * @returns whether there are more to delete
 */
export async function deleteExpiredRecords(session: Session, now = Date.now()): Promise<boolean> {
  const createdBefore = now - IDEMPOTENCY_RETENTION_MS;
  const deleted = await session.query(deleteRecords, { createdBefore, limit: MAX_DELETED_ROWS });
  return deleted.length === MAX_DELETED_ROWS;
}
