import { hash } from 'node:crypto';
import { NewPet, type Pet, stringifyJson } from '@petstore/contract';
import * as z from 'zod/mini';
import type { Session, Transaction } from '../database/database.ts';
import { Query } from '../database/query.ts';
import { type PetRow, petColumns, toPet } from './repository.ts';

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
    .selectFrom('idempotency_keys as record')
    .innerJoin('pets', 'pets.id', 'record.pet_id')
    .select(['record.key', 'record.fingerprint'])
    .select(petColumns)
    .where('record.key', '=', $('key'))
    .$castTo<{ key: string; fingerprint: string } & PetRow>(),
);

/** The records of these keys, with the pets that they added. */
export async function findRecords(
  transaction: Transaction,
  keys: readonly string[],
): Promise<Map<string, IdempotencyRecord>> {
  const sets = keys.map((key) => ({ key }));
  const rows = await transaction.queryEach(selectRecord, sets);
  return new Map(rows.map(({ key, fingerprint, ...row }) => [key, { key, fingerprint, pet: toPet(row) }]));
}

const insertRecord = new Query(
  { key: 'text', fingerprint: 'text', petId: 'int64', createdAt: 'int64' },
  (db, _$, source) =>
    db
      .insertInto('idempotency_keys')
      .columns(['key', 'fingerprint', 'pet_id', 'created_at'])
      .expression(source),
);

/** Saves the records of new keys: part of the transaction that adds the pets. */
export async function saveRecords(
  transaction: Transaction,
  records: readonly IdempotencyRecord[],
): Promise<void> {
  const createdAt = Date.now();
  // In one order everywhere: two transactions with the same keys would otherwise deadlock.
  const ordered = records.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const sets = ordered.map(({ key, fingerprint, pet }) => ({ key, fingerprint, petId: pet.id, createdAt }));
  await transaction.queryEach(insertRecord, sets);
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
