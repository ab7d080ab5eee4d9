import { parseIdempotencyKey, v1 } from '@petstore/contract';
import { initServer } from '@ts-rest/express';
import type { Database } from '../database/database.ts';
import { refuse } from '../http/http-error.ts';
import { readJsonBody } from '../http/json-body.ts';
import { contextOf, setHeaders } from '../http/request-context.ts';
import type { ListCache } from '../http/steps/cache-lists.ts';
import type { CreateQueue } from '../pets/create-queue.ts';
import { findPet, listPets } from '../pets/repository.ts';
import type { Urls } from './urls.ts';

export interface PetParts {
  database: Database;
  createQueue: CreateQueue;
  /** Absent where nothing tells cheaply whether a list has changed. */
  listCache: ListCache | undefined;
}

const { pets } = v1.contract;

/** The three operations (interface: Endpoints), after the request has been validated. */
export function petHandlers({ database, createQueue, listCache }: PetParts, urls: Urls) {
  return initServer().router(pets, {
    listPets: {
      middleware: listCache ? [listCache.step] : [],
      async handler({ query: { limit, cursor, status = cursor?.status }, res }) {
        // One pet more than asked for tells whether there is a next page.
        const found = await listPets(database, { limit: limit + 1, after: cursor?.after, status });
        const page = found.slice(0, limit);
        const last = page.at(-1);
        if (found.length > limit && last) {
          setHeaders<typeof pets.listPets, 200>(res, {
            Link: urls.nextPage({ limit, after: last.id, status }),
          });
        }
        return { status: 200, body: page };
      },
    },

    createPet: {
      middleware: [readJsonBody],
      async handler({ body, headers, res }) {
        const context = contextOf(res);
        const key = parseIdempotencyKey(headers['idempotency-key'] ?? '');
        const idempotencyKey = key === undefined ? undefined : `${context.apiKey?.owner}:${key}`;
        const creation = await createQueue.create({
          pet: body,
          idempotencyKey,
          createdBy: context.apiKey?.name,
        });
        if (creation.outcome === 'overloaded') return refuse('overloaded');
        if (creation.outcome === 'key_reused') return refuse('idempotency_key_reused');
        const { pet, outcome } = creation;
        context.logDetails = { petId: pet.id };
        setHeaders<typeof pets.createPet, 201>(res, {
          Location: urls.pet(pet.id),
          'Idempotency-Replayed': outcome === 'replayed' ? 'true' : undefined,
        });
        return { status: 201, body: pet };
      },
    },

    async getPet({ params: { petId } }) {
      const pet = await findPet(database, petId);
      if (pet === undefined) return refuse('pet_not_found', `No pet has the id ${petId}.`);
      return { status: 200, body: pet };
    },
  });
}
