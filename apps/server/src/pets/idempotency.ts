import { hash } from 'node:crypto';
import { NewPet, type Pet, stringifyJson } from '@petstore/contract';
import { PostgresAdapter } from 'kysely';
import * as z from 'zod/mini';
import type { Session, Transaction } from '../database/database.ts';
import { Query } from '../database/query.ts';
import { findPets } from './repository.ts';

/** How long a record is kept at least. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1000;

/** Rows that one statement deletes, so that creations do not wait for it for long. */
const MAX_DELETED_ROWS = 1_000;

/** What is stored of a createPet with an Idempotency-Key. */
export interface IdempotencyRecord {
  key: string;
  fingerprint: string;
  pet: Pet;
}

// In alphabetical order: that of the contract may change.
const properties = z.keyof(NewPet).options.toSorted();

/**
 * A digest that is equal for two bodies of the same NewPet, however they are written. It covers only the
 * properties that are present, so that a later release with one more recognises a repetition.
 */
export function fingerprint(pet: NewPet): string {
  const present = properties.filter((property) => pet[property] !== undefined);
  return hash('sha256', stringifyJson(present.map((property) => [property, pet[property]])), 'base64url');
}

const selectRecord = new Query({ key: 'text' }, (db, $) =>
  db
    .selectFrom('idempotency_keys')
    .select(['key', 'fingerprint', 'pet_id'])
    .where('key', '=', $('key'))
    // PostgreSQL shows a commit whose wait for a synchronous standby was cancelled. A row lock is written to the log,
    // so that a transaction that replays such a commit waits for the standby itself.
    .$if(db.getExecutor().adapter instanceof PostgresAdapter, (select) => select.forKeyShare()),
);

/** The records of these keys, with the pets that they added. A record whose pet is gone counts as none. */
export async function findRecords(
  transaction: Transaction,
  keys: readonly string[],
): Promise<Map<string, IdempotencyRecord>> {
  const sets = keys.map((key) => ({ key }));
  const rows = await transaction.queryEach(selectRecord, sets);
  // Not a join, which makes SQLite take several times as long for a key that has no record, as most have none.
  const pets = await findPets(
    transaction,
    rows.map(({ pet_id }) => pet_id),
  );
  return new Map(
    rows.flatMap(({ key, fingerprint, pet_id }) => {
      const pet = pets.get(pet_id);
      return pet ? [[key, { key, fingerprint, pet }]] : [];
    }),
  );
}

// A record that is there already is one whose pet was removed by hand: its key is free again. Transactions run one
// at a time, so that no record has come since these were not found.
const upsert = new Query(
  { key: 'text', fingerprint: 'text', petId: 'int64', createdAt: 'int64' },
  (db, _$, rows) =>
    db
      .insertInto('idempotency_keys')
      .columns(['key', 'fingerprint', 'pet_id', 'created_at'])
      .expression(rows)
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet(({ ref }) => ({
          fingerprint: ref('excluded.fingerprint'),
          pet_id: ref('excluded.pet_id'),
          created_at: ref('excluded.created_at'),
        })),
      ),
);

/** Saves the records of new keys: part of the transaction that adds the pets. */
export async function saveRecords(
  transaction: Transaction,
  records: readonly IdempotencyRecord[],
): Promise<void> {
  const createdAt = Date.now();
  const rows = records.map(({ key, fingerprint, pet }) => ({ key, fingerprint, petId: pet.id, createdAt }));
  await transaction.queryEach(upsert, rows);
}

const deleteRecords = new Query({ createdBefore: 'int64', limit: 'int64' }, (db, $) =>
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
