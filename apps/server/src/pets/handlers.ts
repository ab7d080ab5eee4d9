import { parseIdempotencyKey, type v1 } from '@petstore/contract';
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
  { database, createQueue }: Context,
  addresses: Addresses,
): Handlers<(typeof v1.contract)['pets']> {
  return {
    async listPets({ query: { limit, cursor, status = cursor?.status }, res }) {
      // One more than asked for tells whether there is a next page.
      const { value: found, version } = await listPets(database, {
        limit: limit + 1,
        after: cursor?.after,
        status,
      });
      res.locals.validity = { version, of: 'page' };
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
        const creation = await createQueue.create({ pet, idempotencyKey });
        if (creation.outcome === 'overloaded') throw new HttpError('overloaded');
        if (creation.outcome === 'key_reused') throw new HttpError('idempotency_key_reused');
        if (creation.outcome === 'replayed') res.setHeader('Idempotency-Replayed', 'true');
        res.setHeader('Location', addresses.pet(creation.pet.id));
        return { status: 201, body: creation.pet };
      },
    },

    async getPet({ params: { petId }, res }) {
      const { value: pet, version } = await findPet(database, petId);
      res.locals.validity = { version, of: 'pet' };
      if (pet === undefined) throw new HttpError('pet_not_found', `No animal has the id ${petId}.`);
      return { status: 200, body: pet };
    },
  };
}
