/** Fastify by its guide to speed: JSON schemas both ways, handlers without promises, prepared statements. */
import Fastify from 'fastify';
import { authorizationCheck } from './shared/api-keys.ts';
import { internal, invalid, notFound, unauthorized } from './shared/errors.ts';
import type { NewPet, Status } from './shared/pet.ts';
import { preparedPets } from './shared/prepared-pets.ts';
import { HOST, PORT } from './shared/settings.ts';
import { openSqlite } from './shared/sqlite.ts';

const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const newPetProperties = { name: { type: 'string' }, categoryId: { type: 'integer' }, status };
const newPet = { type: 'object', required: ['name', 'categoryId'], properties: newPetProperties };
const pet = {
  type: 'object',
  required: ['id', 'name', 'categoryId'],
  properties: { id: { type: 'integer' }, ...newPetProperties },
};

const connection = openSqlite();
const isAuthorized = authorizationCheck(connection);
const pets = preparedPets(connection);
const app = Fastify();

app.addHook('onRequest', (request, reply, done) => {
  if (isAuthorized(request.headers.authorization)) done();
  else reply.code(401).send(unauthorized);
});

app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
  const isCallers = error.statusCode !== undefined && error.statusCode < 500;
  reply.code(error.statusCode ?? 500).send(isCallers ? invalid : internal);
});

app.get<{ Querystring: { limit: number; status?: Status } }>('/v1/pets', {
  schema: {
    querystring: {
      type: 'object',
      properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 }, status },
    },
    response: { 200: { type: 'array', items: pet } },
  },
  handler(request, reply) {
    reply.send(pets.list(request.query.limit, request.query.status));
  },
});

app.post<{ Body: NewPet }>('/v1/pets', {
  schema: { body: newPet, response: { 201: pet } },
  handler(request, reply) {
    reply.code(201).send(pets.create(request.body));
  },
});

app.get<{ Params: { petId: number } }>('/v1/pets/:petId', {
  schema: {
    params: { type: 'object', properties: { petId: { type: 'integer' } } },
    response: { 200: pet },
  },
  handler(request, reply) {
    const found = pets.find(request.params.petId);
    if (found === undefined) reply.code(404).send(notFound);
    else reply.send(found);
  },
});

await app.listen({ port: PORT, host: HOST });
