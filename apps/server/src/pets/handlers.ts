import { parseIdempotencyKey, type v1 } from '@petstore/contract';
import type { AppRoute } from '@ts-rest/core';
import type { AppRouteImplementation, AppRouteOptions } from '@ts-rest/express';
import type { Context } from '../context.ts';
import { readJsonBody } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import type { Urls } from '../http/routing/urls.ts';
import { findPet, listPets } from './repository.ts';

type Handlers<Routes extends Record<string, AppRoute>> = {
  [Name in keyof Routes]: AppRouteImplementation<Routes[Name]> | AppRouteOptions<Routes[Name]>;
};

/** The three operations (interface: Endpoints), after ts-rest has validated the request. */
export function petHandlers(
  { database, createQueue }: Pick<Context, 'database' | 'createQueue'>,
  urls: Urls,
): Handlers<(typeof v1.contract)['pets']> {
  return {
    async listPets({ query: { limit, cursor, status = cursor?.status }, res: { locals } }) {
      // One more than asked for tells whether there is a next page.
      const page = { limit: limit + 1, after: cursor?.after, status };
      const { value: found, version } = await listPets(database, page);
      locals.validity = { version, dependsOn: 'content' };
      const pets = found.slice(0, limit);
      const last = pets.at(-1);
      if (found.length > limit && last) {
        locals.headers.push('Link', urls.nextPage({ limit, after: last.id, status }));
      }
      return { status: 200, body: pets };
    },

    createPet: {
      middleware: [readJsonBody],
      async handler({ body: pet, headers, res: { locals } }) {
        const key = parseIdempotencyKey(headers['idempotency-key'] ?? '');
        const idempotencyKey = key === undefined ? undefined : `${locals.request.apiKey?.owner}:${key}`;
        const creation = await createQueue.create({ pet, idempotencyKey });
        if (creation.outcome === 'overloaded') throw new HttpError('overloaded');
        if (creation.outcome === 'key_reused') throw new HttpError('idempotency_key_reused');
        if (creation.outcome === 'replayed') locals.headers.push('Idempotency-Replayed', 'true');
        locals.headers.push('Location', urls.pet(creation.pet.id));
        return { status: 201, body: creation.pet };
      },
    },

    async getPet({ params: { petId }, res: { locals } }) {
      const { value: pet, version } = await findPet(database, petId);
      if (pet === undefined) throw new HttpError('pet_not_found', `No pet has the id ${petId}.`);
      // A pet never changes.
      locals.validity = { version, dependsOn: 'epoch' };
      return { status: 200, body: pet };
    },
  };
}
