/**
 * Express with ts-rest and zod, as their READMEs set them up, over prepared statements. With `--headers` it also has
 * the headers and the log of our server: see fastify-headers.ts.
 */
import { hash, randomUUID } from 'node:crypto';
import { initContract } from '@ts-rest/core';
import { createExpressEndpoints, initServer } from '@ts-rest/express';
import express, { type RequestHandler } from 'express';
import { z } from 'zod';
import { createLog } from './shared/log.ts';
import { preparedPets } from './shared/pets.ts';
import { DEPRECATION_HEADERS, linkTo, NewPet, Pet, PetId, PetsQuery } from './shared/schemas.ts';
import { ADDRESS, errors, isAuthorized, openSqlite } from './shared/service.ts';

const hasHeaders = process.argv.includes('--headers');

const c = initContract();
const contract = c.router({
  list: { method: 'GET', path: '/v1/pets', query: PetsQuery, responses: { 200: z.array(Pet) } },
  create: { method: 'POST', path: '/v1/pets', body: NewPet, responses: { 201: Pet } },
  get: {
    method: 'GET',
    path: '/v1/pets/:petId',
    pathParams: z.object({ petId: PetId }),
    responses: { 200: Pet, 404: c.type<typeof errors.notFound>() },
  },
});

const pets = preparedPets(openSqlite());
const router = initServer().router(contract, {
  async list({ query, res }) {
    const page = pets.list(query);
    if (hasHeaders && page.next !== undefined) res.set('Link', linkTo(page.next, query));
    return { status: 200, body: page.pets };
  },
  async create({ body, res }) {
    const pet = pets.create(body);
    if (hasHeaders) res.location(`/v1/pets/${pet.id}`);
    return { status: 201, body: pet };
  },
  async get({ params, res }) {
    const pet = pets.find(params.petId);
    if (hasHeaders) res.set(DEPRECATION_HEADERS);
    return pet === undefined ? { status: 404, body: errors.notFound } : { status: 200, body: pet };
  },
});

/** Adds the headers of every response, and writes the access log. Express itself adds entity tags. */
function addHeadersAndLog(): RequestHandler {
  const log = createLog();
  return (req, res, next) => {
    const start = performance.now();
    const requestId = randomUUID();
    const caching = req.method === 'GET' ? 'private, no-cache' : 'no-store';
    res.set({ 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': caching });
    res.once('finish', () => {
      const { method, path } = req;
      log.info({ requestId, method, path, status: res.statusCode, durationMs: performance.now() - start });
    });
    next();
  };
}

const app = express();
app.disable('x-powered-by');
app.set('etag', hasHeaders && ((body: string | Buffer) => `"${hash('sha1', body, 'base64url')}"`));
if (hasHeaders) app.use(addHeadersAndLog());
app.use((req, res, next) => {
  if (isAuthorized(req.headers.authorization)) next();
  else res.status(401).json(errors.unauthorized);
});
app.use(express.json());
createExpressEndpoints(contract, router, app);
app.listen(ADDRESS.port, ADDRESS.host);
