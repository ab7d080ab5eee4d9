import { hash } from 'node:crypto';
import { NewPet, stringifyJson } from '@petstore/contract';
import { type Kysely, sql } from 'kysely';
import { currentMinute } from '../database/current-minute.ts';
import { engineOf } from '../database/engine-of.ts';
import type { Tables } from '../database/tables.ts';

const RETENTION_MINUTES = 24 * 60;

/** The most rows that one statement deletes. Creations wait for it meanwhile. */
const MAX_DELETED_ROWS = 1_000;

// Sorted, because their order in the contract may change.
const properties = NewPet.keyof().options.toSorted();

/** The value that the contract gives to each property that a NewPet leaves out. */
const whenLeftOut = new Map<keyof NewPet, unknown>(
  properties.map((property) => [property, NewPet.shape[property].safeParse(undefined).data]),
);

/** The first 128 bits of SHA-256, in hexadecimal. Two of 100 million keys collide with a probability of 2^-76. */
export const digestKey = (key: string): string => hash('sha256', key, 'hex').slice(0, 32);

/**
 * The first 64 bits of a digest of a NewPet. A property with its default does not count, so that a later release with
 * more properties recognises a repetition.
 */
export function fingerprint(pet: NewPet): bigint {
  const given = properties.flatMap((property) =>
    pet[property] === whenLeftOut.get(property) ? [] : [[property, pet[property]]],
  );
  return hash('sha256', stringifyJson(given), 'buffer').readBigInt64BE();
}

/**
 * Deletes expired records, a limited number at a time. A record is as old as its pet, and ids ascend: the index of
 * `pet_id` leads to the oldest records.
 * @returns whether there may be more
 */
export async function deleteExpiredRecords(db: Kysely<Tables>): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_records')
    .where('created_at', '<', sql<number>`${sql.raw(currentMinute[engineOf(db)])} - ${RETENTION_MINUTES}`)
    .where('key', 'in', ({ selectFrom }) =>
      selectFrom('idempotency_records').select('key').orderBy('pet_id').limit(MAX_DELETED_ROWS),
    )
    .executeTakeFirst();
  return numDeletedRows === BigInt(MAX_DELETED_ROWS);
}
