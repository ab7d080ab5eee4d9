/** Hono on Node with @hono/zod-openapi and its own bearer middleware, and Kysely. */
import { serve } from '@hono/node-server';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { bearerAuth } from 'hono/bearer-auth';
import { keyCheck } from './shared/api-keys.ts';
import { invalid, notFound, unauthorized } from './shared/errors.ts';
import { kyselyPets } from './shared/kysely-pets.ts';
import { ErrorBody, ListQuery, NewPet, Pet, PetParams } from './shared/schemas.ts';
import { HOST, PORT } from './shared/settings.ts';
import { openSqlite } from './shared/sqlite.ts';

const json = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  content: { 'application/json': { schema } },
  description,
});

const listPets = createRoute({
  method: 'get',
  path: '/v1/pets',
  request: { query: ListQuery },
  responses: { 200: json(z.array(Pet), 'A page of pets') },
});

const createPet = createRoute({
  method: 'post',
  path: '/v1/pets',
  request: { body: { content: { 'application/json': { schema: NewPet } }, required: true } },
  responses: { 201: json(Pet, 'The new pet') },
});

const getPet = createRoute({
  method: 'get',
  path: '/v1/pets/{petId}',
  request: { params: PetParams },
  responses: { 200: json(Pet, 'The pet'), 404: json(ErrorBody, 'No such pet') },
});

const connection = openSqlite();
const pets = kyselyPets(connection);
const app = new OpenAPIHono({
  defaultHook: (result, context) => (result.success ? undefined : context.json(invalid, 400)),
});

const unauthorizedMessage = { message: unauthorized };
app.use(
  bearerAuth({
    verifyToken: keyCheck(connection),
    noAuthenticationHeader: unauthorizedMessage,
    invalidAuthenticationHeader: unauthorizedMessage,
    invalidToken: unauthorizedMessage,
  }),
);

app.openapi(listPets, async (context) => {
  const page = await pets.list(context.req.valid('query'));
  return context.json(page.pets, 200);
});

app.openapi(createPet, async (context) => context.json(await pets.create(context.req.valid('json')), 201));

app.openapi(getPet, async (context) => {
  const pet = await pets.find(context.req.valid('param').petId);
  return pet === undefined ? context.json(notFound, 404) : context.json(pet, 200);
});

serve({ fetch: app.fetch, port: PORT, hostname: HOST });
