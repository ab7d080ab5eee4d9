import { parseIdempotencyKey, v1 } from '@petstore/contract';
import { initServer } from '@ts-rest/express';
import type { Database } from '../database/database.ts';
import { HttpError } from '../http/http-error.ts';
import { contextOf } from '../http/request-context.ts';
import type { CreateQueue } from '../pets/create-queue.ts';
import { findPet, listPets } from '../pets/repository.ts';
import type { Urls } from './urls.ts';

/** What the operations on pets need. */
export interface PetParts {
  database: Database;
  createQueue: CreateQueue;
}

/** The three operations (interface: Endpoints), after the request has been validated. */
export function petHandlers({ database, createQueue }: PetParts, urls: Urls) {
  return initServer().router(v1.contract.pets, {
    async listPets({ query: { limit, cursor, status = cursor?.status }, res }) {
      // One more than asked for tells whether there is a next page.
      const page = { limit: limit + 1, after: cursor?.after, status };
      const found = await listPets(database, page);
      const pets = found.slice(0, limit);
      const last = pets.at(-1);
      if (found.length > limit && last) {
        res.append('Link', urls.nextPage({ limit, after: last.id, status }));
      }
      return { status: 200, body: pets };
    },

    async createPet({ body: pet, headers, res }) {
      const context = contextOf(res);
      const key = parseIdempotencyKey(headers['idempotency-key'] ?? '');
      const idempotencyKey = key === undefined ? undefined : `${context.apiKey?.owner}:${key}`;
      const creation = await createQueue.create({ pet, idempotencyKey, createdBy: context.apiKey?.name });
      if (creation.outcome === 'overloaded') throw new HttpError('overloaded');
      if (creation.outcome === 'key_reused') throw new HttpError('idempotency_key_reused');
      if (creation.outcome === 'replayed') res.set('Idempotency-Replayed', 'true');
      context.logDetails = { petId: creation.pet.id };
      res.set('Location', urls.pet(creation.pet.id));
      return { status: 201, body: creation.pet };
    },

    async getPet({ params: { petId } }) {
      const pet = await findPet(database, petId);
      if (pet === undefined) throw new HttpError('pet_not_found', `No pet has the id ${petId}.`);
      return { status: 200, body: pet };
    },
  });
}
