import { type contract, parseIdempotencyKey } from '@petstore/contract';
import type { AppRoute } from '@ts-rest/core';
import type { AppRouteImplementation, AppRouteOptions } from '@ts-rest/express';
import type { Context } from '../context.ts';
import type { Addresses } from '../http/addresses.ts';
import { readJsonBody } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import { findPet, listPets } from './repository.ts';

type Handlers<Routes extends Record<string, AppRoute>> = {
  [Name in keyof Routes]: AppRouteImplementation<Routes[Name]> | AppRouteOptions<Routes[Name]>;
};

/** The three operations (interface: Endpoints), behind ts-rest's validation and before its answer. */
export function petHandlers(
  { database, creations }: Context,
  addresses: Addresses,
): Handlers<typeof contract.pets> {
  return {
    async listPets({ query: { limit, cursor, status = cursor?.status }, res }) {
      res.locals.validity = await database.version();
      // One more than asked for tells whether there is a next page.
      const found = await database.read((db) =>
        listPets(db, { limit: limit + 1, after: cursor?.after, status }),
      );
      const pets = found.slice(0, limit);
      const last = pets.at(-1);
      if (found.length > limit && last) {
        res.setHeader('Link', addresses.nextPage({ limit, after: last.id, status }));
      }
      return { status: 200, body: pets };
    },

    createPet: {
      middleware: [readJsonBody],
      async handler({ body: pet, headers, res }) {
        const key = parseIdempotencyKey(headers['idempotency-key'] ?? '');
        const idempotencyKey = key === undefined ? undefined : `${res.locals.keyName}:${key}`;
        const creation = await creations.create({ pet, idempotencyKey });
        if (creation.outcome === 'key_reused') throw new HttpError('idempotency_key_reused');
        if (creation.outcome === 'replayed') res.setHeader('Idempotency-Replayed', 'true');
        res.setHeader('Location', addresses.pet(creation.pet.id));
        return { status: 201, body: creation.pet };
      },
    },

    async getPet({ params: { petId }, res }) {
      res.locals.validity = database.epoch;
      const pet = await database.read((db) => findPet(db, petId));
      if (pet === undefined) throw new HttpError('pet_not_found', `No animal has the id ${petId}.`);
      return { status: 200, body: pet };
    },
  };
}
