import { hash } from 'node:crypto';
import { NewPet, stringifyJson } from '@petstore/contract';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '../database/database.ts';
import { int64 } from '../database/query.ts';
import { query } from '../tables.ts';

/** How long a record is kept at least. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1000;

/** Records tell the minute in which they were made. */
export const MS_PER_MINUTE = 60_000;

/** Rows that one statement deletes, so that creations do not wait for it for long. */
const MAX_DELETED_ROWS = 1_000;

// In alphabetical order: that of the contract may change.
const properties = z.keyof(NewPet).options.toSorted();

/** What a pet has where a property was left out: its default in the contract, if there is one. */
const whenLeftOut = new Map<keyof NewPet, unknown>(
  properties.map((property) => [property, NewPet.shape[property].safeParse(undefined).data]),
);

/**
 * The key of a record: the first 128 bits of SHA-256, in hexadecimal. That two of 100 million keys have the same has
 * the probability 2^-76.
 */
export const digestKey = (key: string): string => hash('sha256', key, 'hex').slice(0, 32);

/**
 * The first 64 bits of a digest that is equal for two bodies of the same NewPet, however they are written. A property
 * that was left out does not count, so that a later release with one more recognises a repetition. A fingerprint is
 * compared with that of the request that used the key first, and with no other: a caller that sends another request with
 * a used key gets the pet of the first in place of a refusal once in 2^64 times.
 */
export function fingerprint(pet: NewPet): bigint {
  const given = properties.filter((property) => pet[property] !== whenLeftOut.get(property));
  const text = stringifyJson(given.map((property) => [property, pet[property]]));
  return hash('sha256', text, 'buffer').readBigInt64BE();
}

/** A record is as old as its pet, and ids ascend: the index of the pets leads to the oldest ones. */
const deleteRecords = query(
  { createdBefore: int64, limit: int64 },
  (_db, $) => sql`
    delete from idempotency_records where created_at < ${$('createdBefore')} and key in (
      select key from idempotency_records order by pet_id limit ${$('limit')}
    ) returning created_at`,
);

/**
 * Deletes records that are older than the retention, some at a time.
 *
 * @returns whether there are more to delete
 */
export async function deleteExpiredRecords(database: Database, now = Date.now()): Promise<boolean> {
  const createdBefore = Math.floor((now - IDEMPOTENCY_RETENTION_MS) / MS_PER_MINUTE);
  const deleted = await database.query(deleteRecords({ createdBefore, limit: MAX_DELETED_ROWS }));
  return deleted.length === MAX_DELETED_ROWS;
}
