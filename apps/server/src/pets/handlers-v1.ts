import { parseIdempotencyKey, v1 } from '@petstore/contract';
import { initServer } from '@ts-rest/express';
import type { Database } from '../database/database.ts';
import { withEntityTag } from '../http/entity-tags.ts';
import { refuse } from '../http/http-error.ts';
import type { ListCache } from '../http/middleware/cache-lists.ts';
import { readJsonBody } from '../http/middleware/read-json-body.ts';
import { setHeaders, timeDatabase } from '../http/request-context.ts';
import type { Urls } from '../http/urls.ts';
import { callerOf } from '../keys/authenticate.ts';
import type { CreateQueue } from './create-queue.ts';
import { findPet, readPage } from './repository.ts';

const { pets } = v1.contract;

export interface PetParts {
  database: Database;
  createQueue: CreateQueue;
  /** SQLite only: PostgreSQL has no cheap way to tell whether a list has changed. */
  listCache: ListCache | undefined;
}

/** ts-rest has validated the request (interface: Endpoints). */
export function petHandlers({ database: { db }, createQueue, listCache }: PetParts, urls: Urls) {
  return initServer().router(pets, {
    listPets: {
      middleware: listCache ? [listCache.middleware] : [],
      async handler({ query, res }) {
        const { pets: page, next } = await timeDatabase(res, readPage(db, query));
        const Link = next && urls.nextPage(pets.listPets.path, next);
        return withEntityTag<typeof pets.listPets>(res, page, { Link });
      },
    },

    createPet: {
      middleware: [readJsonBody],
      async handler({ body, headers: { 'idempotency-key': header }, res }) {
        const request = {
          pet: body,
          idempotencyKey: header && parseIdempotencyKey(header),
          caller: callerOf(res),
        };
        const creation = await timeDatabase(res, createQueue.create(request));
        if (creation.outcome === 'overloaded') return refuse('overloaded');
        if (creation.outcome === 'key_reused') return refuse('idempotency_key_reused');
        const { pet, outcome } = creation;
        res.locals.notes.details = { petId: pet.id };
        setHeaders<typeof pets.createPet, 201>(res, {
          Location: `${urls.base}/pets/${pet.id}`,
          'Idempotency-Replayed': outcome === 'replayed' ? 'true' : undefined,
        });
        return { status: 201, body: pet };
      },
    },

    async getPet({ params: { petId }, res }) {
      const pet = await timeDatabase(res, findPet(db, petId));
      if (pet === undefined) return refuse('pet_not_found', `No pet has the id ${petId}.`);
      return withEntityTag<typeof pets.getPet>(res, pet);
    },
  });
}
