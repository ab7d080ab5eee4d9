/** The stack of our server as its documentation puts it together: Express 5, ts-rest, Kysely. */
import { initContract } from '@ts-rest/core';
import { createExpressEndpoints, initServer } from '@ts-rest/express';
import express from 'express';
import { z } from 'zod';
import { authorizationCheck } from './shared/api-keys.ts';
import { invalid, notFound, unauthorized } from './shared/errors.ts';
import { kyselyPets } from './shared/kysely-pets.ts';
import { ErrorBody, ListQuery, NewPet, Pet, PetParams } from './shared/schemas.ts';
import { HOST, PORT } from './shared/settings.ts';
import { openSqlite } from './shared/sqlite.ts';

const contract = initContract().router(
  {
    listPets: { method: 'GET', path: '/pets', query: ListQuery, responses: { 200: z.array(Pet) } },
    createPet: { method: 'POST', path: '/pets', body: NewPet, responses: { 201: Pet } },
    getPet: {
      method: 'GET',
      path: '/pets/:petId',
      pathParams: PetParams,
      responses: { 200: Pet, 404: ErrorBody },
    },
  },
  { pathPrefix: '/v1' },
);

const connection = openSqlite();
const isAuthorized = authorizationCheck(connection);
const pets = kyselyPets(connection);

const router = initServer().router(contract, {
  listPets: async ({ query }) => ({ status: 200, body: (await pets.list(query)).pets }),
  createPet: async ({ body }) => ({ status: 201, body: await pets.create(body) }),
  getPet: async ({ params: { petId } }) => {
    const pet = await pets.find(petId);
    return pet === undefined ? { status: 404, body: notFound } : { status: 200, body: pet };
  },
});

const app = express();
app.use((request, response, next) => {
  if (isAuthorized(request.headers.authorization)) next();
  else response.status(401).json(unauthorized);
});
app.use(express.json());
createExpressEndpoints(contract, router, app, {
  requestValidationErrorHandler: (_error, _request, response) => response.status(400).json(invalid),
});
app.listen(PORT, HOST);
