import { hash } from 'node:crypto';
import { NewPet, type Pet, stringifyJson } from '@petstore/contract';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { toPet } from './repository.ts';

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

/** What is remembered of these keys, with the animals that they added. */
export async function findMemories(
  db: Kysely<Tables>,
  keys: readonly string[],
): Promise<Map<string, Memory>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('idempotency_keys as memory')
    .innerJoin('pets', 'pets.id', 'memory.pet_id')
    .select(['memory.key', 'memory.fingerprint', 'pets.id', 'pets.name', 'pets.category_id', 'pets.status'])
    .where('memory.key', 'in', keys)
    .execute();
  return new Map(
    rows.map((row) => [row.key, { key: row.key, fingerprint: row.fingerprint, pet: toPet(row) }]),
  );
}

/** Remembers what new keys led to: part of the transaction that adds the animals. */
export async function remember(db: Kysely<Tables>, memories: readonly Memory[]): Promise<void> {
  if (memories.length === 0) return;
  const created_at = Date.now();
  // In one order everywhere: two transactions with the same keys would otherwise wait for each other.
  const ordered = memories.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  await db
    .insertInto('idempotency_keys')
    .values(ordered.map(({ key, fingerprint, pet }) => ({ key, fingerprint, pet_id: pet.id, created_at })))
    .execute();
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
