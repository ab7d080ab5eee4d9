import { hash } from 'node:crypto';
import { NewPet, type Pet, stringifyJson } from '@petstore/contract';
import type { Kysely, Selectable } from 'kysely';
import * as z from 'zod/mini';
import { prepareRows } from '../database/prepared.ts';
import type { Tables } from '../database/schema.ts';
import { type PetRow, toPet } from './repository.ts';

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

type RecordRow = Pick<Selectable<Tables['idempotency_keys']>, 'key' | 'fingerprint'> & PetRow;

const selectRecords = prepareRows<Pick<IdempotencyRecord, 'key'>, RecordRow>((db, rows) =>
  db
    .selectFrom('idempotency_keys as record')
    .innerJoin('pets', 'pets.id', 'record.pet_id')
    .select(['record.key', 'record.fingerprint', 'pets.id', 'pets.name', 'pets.category_id', 'pets.status'])
    .where(
      'record.key',
      'in',
      rows.map(($) => $('key')),
    ),
);

/** The records of these keys, with the pets that they added. */
export async function findRecords(
  db: Kysely<Tables>,
  keys: readonly string[],
): Promise<Map<string, IdempotencyRecord>> {
  const wanted = keys.map((key) => ({ key }));
  const rows = await selectRecords(db, wanted);
  return new Map(
    rows.map((row) => [row.key, { key: row.key, fingerprint: row.fingerprint, pet: toPet(row) }]),
  );
}

const insertRecords = prepareRows<Selectable<Tables['idempotency_keys']>, never>((db, rows) =>
  db.insertInto('idempotency_keys').values(
    rows.map(($) => ({
      key: $('key'),
      fingerprint: $('fingerprint'),
      pet_id: $('pet_id'),
      created_at: $('created_at'),
    })),
  ),
);

/** Saves the records of new keys: part of the transaction that adds the pets. */
export async function saveRecords(db: Kysely<Tables>, records: readonly IdempotencyRecord[]): Promise<void> {
  const created_at = Date.now();
  // In one order everywhere: two transactions with the same keys would otherwise deadlock.
  const ordered = records.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const rows = ordered.map(({ key, fingerprint, pet }) => ({ key, fingerprint, pet_id: pet.id, created_at }));
  await insertRecords(db, rows);
}

/**
 * Deletes records that are older than the retention, some at a time.
 *
 * @returns whether there are more to delete
 */
export async function deleteExpiredRecords(db: Kysely<Tables>, now = Date.now()): Promise<boolean> {
  const expired = db
    .selectFrom('idempotency_keys')
    .select('key')
    .where('created_at', '<', now - IDEMPOTENCY_RETENTION_MS)
    .orderBy('created_at')
    .limit(MAX_DELETED_ROWS);
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('key', 'in', expired)
    .executeTakeFirstOrThrow();
  return numDeletedRows === BigInt(MAX_DELETED_ROWS);
}
