import type { NewPet, Pet } from '@petstore/contract';
import type { Appended, Database } from '../database/database.ts';
import { fingerprint } from './idempotency.ts';
import { findPet, rowOf } from './repository.ts';

export interface CreateRequest {
  pet: NewPet;
  /** Identifies a repetition: made of the name of the caller's API key and its Idempotency-Key. */
  idempotencyKey?: string | undefined;
  /** Name of the caller's API key. */
  createdBy?: string | undefined;
}

/** The outcome of a request: a new pet, that of an earlier request, or a key that came with another pet before. */
export type Creation = { outcome: 'created' | 'replayed'; pet: Pet } | { outcome: 'key_reused' };

/**
 * Adds the pets of many requests, each exactly once: a key that has a record, or that an earlier one of the requests
 * carries, adds no second pet.
 *
 * @returns the outcome of each request, in their order
 */
export async function createPets(
  database: Pick<Database, 'append' | 'read'>,
  requests: readonly CreateRequest[],
): Promise<Creation[]> {
  const firsts = requests.filter(isFirstOfItsKey());
  const createdAt = Date.now();
  const appended = await database.append(
    firsts.map(({ pet, idempotencyKey: key, createdBy }) => ({
      idempotency: key === undefined ? undefined : { key, fingerprint: fingerprint(pet) },
      row: rowOf(pet, { createdAt, createdBy }),
    })),
  );
  const creations = await Promise.all(
    firsts.map((request, index) => toCreation(database, request, appended[index])),
  );
  const byRequest = new Map(firsts.map((request, index) => [request, creations[index]]));
  const byKey = new Map(firsts.map((request) => [request.idempotencyKey, request]));
  return requests.map((request) => {
    const creation = byRequest.get(request);
    if (creation !== undefined) return creation;
    const first = byKey.get(request.idempotencyKey);
    return repeat(request, first, first && byRequest.get(first));
  });
}

function isFirstOfItsKey() {
  const seen = new Set<string>();
  return ({ idempotencyKey }: CreateRequest) => {
    if (idempotencyKey === undefined) return true;
    const isFirst = !seen.has(idempotencyKey);
    seen.add(idempotencyKey);
    return isFirst;
  };
}

function toCreation(
  database: Pick<Database, 'append' | 'read'>,
  request: CreateRequest,
  appended: Appended | undefined,
): Creation | Promise<Creation> {
  if (appended === undefined) throw new Error('The database returned fewer rows than were added');
  if (appended.isAdded) return { outcome: 'created', pet: { id: appended.id, ...request.pet } };
  return replay(database, request, appended);
}

async function replay(
  database: Pick<Database, 'append' | 'read'>,
  request: CreateRequest,
  appended: Exclude<Appended, { isAdded: true }>,
): Promise<Creation> {
  const pet = await findPet(database, appended.id);
  if (pet === undefined) {
    // The pet was removed by hand just now: its key is free again.
    const [creation] = await createPets(database, [request]);
    return creation ?? { outcome: 'key_reused' };
  }
  return appended.hasSameFingerprint ? { outcome: 'replayed', pet } : { outcome: 'key_reused' };
}

/** The outcome of a request whose key an earlier one of the same batch carries. */
function repeat(
  { pet }: CreateRequest,
  first: CreateRequest | undefined,
  creation: Creation | undefined,
): Creation {
  if (first === undefined || creation === undefined || creation.outcome === 'key_reused') {
    return { outcome: 'key_reused' };
  }
  return fingerprint(pet) === fingerprint(first.pet)
    ? { outcome: 'replayed', pet: creation.pet }
    : { outcome: 'key_reused' };
}
