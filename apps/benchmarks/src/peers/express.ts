/** Express with ts-rest and zod, as their READMEs set them up, over prepared statements. */
import { initContract } from '@ts-rest/core';
import { createExpressEndpoints, initServer } from '@ts-rest/express';
import express from 'express';
import { z } from 'zod';
import { preparePets } from './shared/pets.ts';
import { ADDRESS, DATABASE_URL, errors, isAuthorized, openSqlite } from './shared/service.ts';

const Status = z.enum(['available', 'pending', 'sold']);
const PetsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  status: Status.optional(),
  cursor: z.optional(z.string().regex(/^[A-Za-z0-9_-]+$/)),
});
const NewPet = z.object({ name: z.string(), categoryId: z.int(), status: Status.optional() });
const Pet = z.object({ id: z.int(), ...NewPet.shape });

const c = initContract();
const contract = c.router({
  list: { method: 'GET', path: '/v1/pets', query: PetsQuery, responses: { 200: z.array(Pet) } },
  create: { method: 'POST', path: '/v1/pets', body: NewPet, responses: { 201: Pet } },
  get: {
    method: 'GET',
    path: '/v1/pets/:petId',
    pathParams: z.object({ petId: z.coerce.number().int() }),
    responses: { 200: Pet, 404: c.type<typeof errors.notFound>() },
  },
});

const pets = preparePets(openSqlite(DATABASE_URL));
const router = initServer().router(contract, {
  list: async ({ query }) => ({ status: 200, body: pets.list(query).pets }),
  create: async ({ body }) => ({ status: 201, body: pets.create(body) }),
  async get({ params }) {
    const pet = pets.find(params.petId);
    return pet === undefined ? { status: 404, body: errors.notFound } : { status: 200, body: pet };
  },
});

const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.use((req, res, next) => {
  if (isAuthorized(req.headers.authorization)) next();
  else res.status(401).json(errors.unauthorized);
});
app.use(express.json());
createExpressEndpoints(contract, router, app);
app.listen(ADDRESS.port, ADDRESS.host);
