/** Fastify with its zod type provider, as the provider's README sets it up, and Kysely. */
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { authorizationCheck } from './shared/api-keys.ts';
import { internal, invalid, notFound, unauthorized } from './shared/errors.ts';
import { kyselyPets } from './shared/kysely-pets.ts';
import { ErrorBody, ListQuery, NewPet, Pet, PetParams } from './shared/schemas.ts';
import { HOST, PORT } from './shared/settings.ts';
import { openSqlite } from './shared/sqlite.ts';

const connection = openSqlite();
const isAuthorized = authorizationCheck(connection);
const pets = kyselyPets(connection);
const app = Fastify().withTypeProvider<ZodTypeProvider>();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);

app.addHook('onRequest', async (request, reply) => {
  if (!isAuthorized(request.headers.authorization)) return reply.code(401).send(unauthorized);
});

app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
  const isCallers = error.statusCode !== undefined && error.statusCode < 500;
  return reply.code(error.statusCode ?? 500).send(isCallers ? invalid : internal);
});

app.route({
  method: 'GET',
  url: '/v1/pets',
  schema: { querystring: ListQuery, response: { 200: z.array(Pet) } },
  handler: async ({ query }) => (await pets.list(query)).pets,
});

app.route({
  method: 'POST',
  url: '/v1/pets',
  schema: { body: NewPet, response: { 201: Pet } },
  handler: async ({ body }, reply) => reply.code(201).send(await pets.create(body)),
});

app.route({
  method: 'GET',
  url: '/v1/pets/:petId',
  schema: { params: PetParams, response: { 200: Pet, 404: ErrorBody } },
  handler: async ({ params: { petId } }, reply) => {
    const pet = await pets.find(petId);
    return pet === undefined ? reply.code(404).send(notFound) : reply.send(pet);
  },
});

await app.listen({ port: PORT, host: HOST });
