import type { NewPet, Pet } from '@petstore/contract';
import type { Database } from '../database/database.ts';
import { findMemories, fingerprint, type Memory, remember } from './idempotency.ts';
import { insertPets } from './repository.ts';

export interface CreateRequest {
  pet: NewPet;
  /** Tells a repetition: made of the caller's name and its Idempotency-Key. */
  idempotencyKey?: string | undefined;
}

/** What became of a request: a new animal, the first answer again, or a key that was used with another body. */
export type Creation = { outcome: 'created' | 'replayed'; pet: Pet } | { outcome: 'key_reused' };

/**
 * Adds the animals of many requests in one transaction, each exactly once: a key that the database
 * remembers, or that an earlier one of the requests carries, adds no second animal. The memory of a
 * key is committed together with its animal, so that no crash can part them.
 *
 * @returns what became of each request, in their order
 */
export async function createPets(
  { transact }: Pick<Database, 'transact'>,
  requests: readonly CreateRequest[],
): Promise<Creation[]> {
  return transact(async (transaction) => {
    const keys = requests.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
    const memories = await findMemories(transaction, keys);
    const additions = requests.filter(isFirstOfItsKey(memories));
    const pets = await insertPets(
      transaction,
      additions.map(({ pet }) => pet),
    );
    const created = new Map(additions.map((request, index) => [request, pets[index]]));
    const fresh = [...created].flatMap(([{ idempotencyKey: key }, pet]): Memory[] =>
      key !== undefined && pet !== undefined ? [{ key, fingerprint: fingerprint(pet), pet }] : [],
    );
    await remember(transaction, fresh);
    for (const memory of fresh) memories.set(memory.key, memory);
    return requests.map((request) => {
      const pet = created.get(request);
      return pet ? { outcome: 'created', pet } : repeat(request, memories);
    });
  });
}

function isFirstOfItsKey(memories: ReadonlyMap<string, Memory>) {
  const seen = new Set(memories.keys());
  return ({ idempotencyKey }: CreateRequest) => {
    if (idempotencyKey === undefined) return true;
    const isFirst = !seen.has(idempotencyKey);
    seen.add(idempotencyKey);
    return isFirst;
  };
}

function repeat(
  { pet, idempotencyKey = '' }: CreateRequest,
  memories: ReadonlyMap<string, Memory>,
): Creation {
  const memory = memories.get(idempotencyKey);
  if (memory === undefined) throw new Error('A request was neither added nor remembered');
  if (memory.fingerprint !== fingerprint(pet)) return { outcome: 'key_reused' };
  return { outcome: 'replayed', pet: memory.pet };
}
