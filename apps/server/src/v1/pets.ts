import { parseIdempotencyKey, type v1 } from '@petstore/contract';
import type { Database } from '../database/database.ts';
import { HttpError } from '../http/responses/http-error.ts';
import type { CreateQueue } from '../pets/create-queue.ts';
import { findPet, listPets } from '../pets/repository.ts';
import type { Handlers } from './handlers.ts';
import type { Urls } from './urls.ts';

/** What the operations on pets need. */
export interface PetParts {
  database: Database;
  createQueue: CreateQueue;
}

/** The three operations (interface: Endpoints), after the request has been validated. */
export function petHandlers(
  { database, createQueue }: PetParts,
  urls: Urls,
): Handlers<(typeof v1.contract)['pets']> {
  return {
    async listPets({ query: { limit, cursor, status = cursor?.status }, operation }) {
      // One more than asked for tells whether there is a next page.
      const page = { limit: limit + 1, after: cursor?.after, status };
      const found = await listPets(database, page);
      const pets = found.slice(0, limit);
      const last = pets.at(-1);
      if (found.length > limit && last) {
        operation.headers.push('Link', urls.nextPage({ limit, after: last.id, status }));
      }
      return { status: 200, body: pets };
    },

    async createPet({ body: pet, headers, operation }) {
      const { request } = operation;
      const key = parseIdempotencyKey(headers['idempotency-key'] ?? '');
      const idempotencyKey = key === undefined ? undefined : `${request.apiKey?.owner}:${key}`;
      const creation = await createQueue.create({ pet, idempotencyKey, createdBy: request.apiKey?.name });
      if (creation.outcome === 'overloaded') throw new HttpError('overloaded');
      if (creation.outcome === 'key_reused') throw new HttpError('idempotency_key_reused');
      if (creation.outcome === 'replayed') operation.headers.push('Idempotency-Replayed', 'true');
      request.logDetails = { petId: creation.pet.id };
      operation.headers.push('Location', urls.pet(creation.pet.id));
      return { status: 201, body: creation.pet };
    },

    async getPet({ params: { petId } }) {
      const pet = await findPet(database, petId);
      if (pet === undefined) throw new HttpError('pet_not_found', `No pet has the id ${petId}.`);
      return { status: 200, body: pet };
    },
  };
}
