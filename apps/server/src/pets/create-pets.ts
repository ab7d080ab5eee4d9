import type { NewPet, Pet } from '@petstore/contract';
import type { Database } from '../database/database.ts';
import { findRecords, fingerprint, type IdempotencyRecord, saveRecords } from './idempotency.ts';
import { insertPets } from './repository.ts';

export interface CreateRequest {
  pet: NewPet;
  /** Identifies a repetition: made of the name of the caller's API key and its Idempotency-Key. */
  idempotencyKey?: string | undefined;
}

/** The outcome of a request: a new pet, that of an earlier request, or a key that came with another pet before. */
export type Creation = { outcome: 'created' | 'replayed'; pet: Pet } | { outcome: 'key_reused' };

/**
 * Adds the pets of many requests in one transaction, each exactly once: a key that has a record, or that an
 * earlier one of the requests carries, adds no second pet. The record of a key is committed together with
 * its pet, so that no crash can separate them.
 *
 * @returns the outcome of each request, in their order
 */
export async function createPets(
  database: Pick<Database, 'transact'>,
  requests: readonly CreateRequest[],
): Promise<Creation[]> {
  return database.transact(async (transaction) => {
    const keys = requests.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
    const records = await findRecords(transaction, keys);
    const additions = requests.filter(isFirstOfItsKey(records));
    const pets = await insertPets(
      transaction,
      additions.map(({ pet }) => pet),
    );
    const created = new Map(additions.map((request, index) => [request, pets[index]]));
    const added = [...created].flatMap(([{ idempotencyKey: key }, pet]): IdempotencyRecord[] =>
      key !== undefined && pet !== undefined ? [{ key, fingerprint: fingerprint(pet), pet }] : [],
    );
    await saveRecords(transaction, added);
    for (const record of added) records.set(record.key, record);
    return requests.map((request) => {
      const pet = created.get(request);
      return pet ? { outcome: 'created', pet } : replay(request, records);
    });
  });
}

function isFirstOfItsKey(records: ReadonlyMap<string, IdempotencyRecord>) {
  const seen = new Set(records.keys());
  return ({ idempotencyKey }: CreateRequest) => {
    if (idempotencyKey === undefined) return true;
    const isFirst = !seen.has(idempotencyKey);
    seen.add(idempotencyKey);
    return isFirst;
  };
}

function replay(
  { pet, idempotencyKey = '' }: CreateRequest,
  records: ReadonlyMap<string, IdempotencyRecord>,
): Creation {
  const record = records.get(idempotencyKey);
  if (record === undefined) throw new Error('A request was neither added nor has it an idempotency record');
  if (record.fingerprint !== fingerprint(pet)) return { outcome: 'key_reused' };
  return { outcome: 'replayed', pet: record.pet };
}
