/** oRPC's OpenAPIHandler on node:http, the key checked by a middleware, and Kysely. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { OpenAPIHandler } from '@orpc/openapi/node';
import { ORPCError, os } from '@orpc/server';
import { z } from 'zod';
import { authorizationCheck } from './shared/api-keys.ts';
import { notFound, unauthorized } from './shared/errors.ts';
import { kyselyPets } from './shared/kysely-pets.ts';
import { ListQuery, NewPet, Pet, PetParams } from './shared/schemas.ts';
import { HOST, PORT } from './shared/settings.ts';
import { openSqlite } from './shared/sqlite.ts';

const connection = openSqlite();
const isAuthorized = authorizationCheck(connection);
const pets = kyselyPets(connection);

const authorized = os.$context<{ headers: IncomingHttpHeaders }>().use(({ context, next }) => {
  if (!isAuthorized(context.headers.authorization)) throw new ORPCError('UNAUTHORIZED', unauthorized);
  return next();
});

const router = {
  listPets: authorized
    .route({ method: 'GET', path: '/pets' })
    .input(ListQuery)
    .output(z.array(Pet))
    .handler(async ({ input }) => (await pets.list(input)).pets),

  createPet: authorized
    .route({ method: 'POST', path: '/pets', successStatus: 201 })
    .input(NewPet)
    .output(Pet)
    .handler(({ input }) => pets.create(input)),

  getPet: authorized
    .route({ method: 'GET', path: '/pets/{petId}' })
    .input(PetParams)
    .output(Pet)
    .handler(async ({ input: { petId } }) => {
      const pet = await pets.find(petId);
      if (pet === undefined) throw new ORPCError('NOT_FOUND', notFound);
      return pet;
    }),
};

const handler = new OpenAPIHandler(router);

createServer(async (request, response) => {
  const { matched } = await handler.handle(request, response, {
    prefix: '/v1',
    context: { headers: request.headers },
  });
  if (!matched) response.writeHead(404).end();
}).listen(PORT, HOST);
