import { hash } from 'node:crypto';
import { NewPet, type Pet, stringifyJson } from '@petstore/contract';
import type { Kysely, Selectable } from 'kysely';
import { prepareRows } from '../database/prepared.ts';
import type { Tables } from '../database/schema.ts';
import { type PetRow, toPet } from './repository.ts';

/** How long a key is remembered at the least. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1000;

/** Rows that are forgotten in one statement, so that forgetting holds up nobody for long. */
const FORGET_AT_ONCE = 1_000;

/** What the service remembers of a createPet with an Idempotency-Key. */
export interface Memory {
  key: string;
  fingerprint: string;
  pet: Pet;
}

// In the alphabet's order: that of the contract may change.
const members = NewPet.keyof().options.toSorted();

/**
 * A digest by which two bodies are the same: that of the NewPet they denote, however it was written. Only
 * members that are there count, so that a later release with one more still knows a repetition.
 */
export function fingerprint(pet: NewPet): string {
  const present = members.filter((member) => pet[member] !== undefined);
  return hash('sha256', stringifyJson(present.map((member) => [member, pet[member]])), 'base64url');
}

type MemoryRow = Pick<Selectable<Tables['idempotency_keys']>, 'key' | 'fingerprint'> & PetRow;

const selectMemories = prepareRows<Pick<Memory, 'key'>, MemoryRow>((db, rows) =>
  db
    .selectFrom('idempotency_keys as memory')
    .innerJoin('pets', 'pets.id', 'memory.pet_id')
    .select(['memory.key', 'memory.fingerprint', 'pets.id', 'pets.name', 'pets.category_id', 'pets.status'])
    .where(
      'memory.key',
      'in',
      rows.map(($) => $('key')),
    ),
);

/** What is remembered of these keys, with the animals that they added. */
export async function findMemories(
  db: Kysely<Tables>,
  keys: readonly string[],
): Promise<Map<string, Memory>> {
  const wanted = keys.map((key) => ({ key }));
  const rows = await selectMemories(db, wanted);
  return new Map(
    rows.map((row) => [row.key, { key: row.key, fingerprint: row.fingerprint, pet: toPet(row) }]),
  );
}

const insertMemories = prepareRows<Selectable<Tables['idempotency_keys']>, never>((db, rows) =>
  db.insertInto('idempotency_keys').values(
    rows.map(($) => ({
      key: $('key'),
      fingerprint: $('fingerprint'),
      pet_id: $('pet_id'),
      created_at: $('created_at'),
    })),
  ),
);

/** Remembers what new keys led to: part of the transaction that adds the animals. */
export async function remember(db: Kysely<Tables>, memories: readonly Memory[]): Promise<void> {
  const created_at = Date.now();
  // In one order everywhere: two transactions with the same keys would otherwise wait for each other.
  const ordered = memories.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const rows = ordered.map(({ key, fingerprint, pet }) => ({ key, fingerprint, pet_id: pet.id, created_at }));
  await insertMemories(db, rows);
}

/**
 * Forgets keys that are older than the retention, some at a time.
 *
 * @returns whether there are more to forget
 */
export async function forgetExpired(db: Kysely<Tables>, now = Date.now()): Promise<boolean> {
  const expired = db
    .selectFrom('idempotency_keys')
    .select('key')
    .where('created_at', '<', now - IDEMPOTENCY_RETENTION_MS)
    .orderBy('created_at')
    .limit(FORGET_AT_ONCE);
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('key', 'in', expired)
    .executeTakeFirstOrThrow();
  return numDeletedRows === BigInt(FORGET_AT_ONCE);
}
