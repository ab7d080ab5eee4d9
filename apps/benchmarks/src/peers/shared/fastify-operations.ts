import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { NewPet, Page, PageQuery, Pet } from './pets.ts';
import { errors, isAuthorized } from './service.ts';
import { openStore } from './store.ts';

const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const newPetProperties = { name: { type: 'string' }, categoryId: { type: 'integer' }, status };
const newPet = { type: 'object', required: ['name', 'categoryId'], properties: newPetProperties };
const pet = {
  type: 'object',
  required: ['id', 'name', 'categoryId'],
  properties: { id: { type: 'integer' }, ...newPetProperties },
};
const pageQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    status,
    cursor: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
  },
};

/** Functions that add headers to a response. */
interface ResponseHeaders {
  list?: (request: FastifyRequest<{ Querystring: PageQuery }>, reply: FastifyReply, page: Page) => void;
  create?: (reply: FastifyReply, pet: Pet) => void;
  get?: (reply: FastifyReply) => void;
}

/** Adds the three operations in the fastest way: JSON schemas in both directions, callbacks, prepared statements. */
export function addOperations(app: FastifyInstance, headers: ResponseHeaders = {}): void {
  const pets = openStore(process.env.DATABASE_URL);

  app.addHook('onRequest', (request, reply, done) => {
    if (isAuthorized(request.headers.authorization)) done();
    else reply.code(401).send(errors.unauthorized);
  });

  app.setErrorHandler(({ statusCode = 500 }: { statusCode?: number }, _request, reply) => {
    reply.code(statusCode).send(statusCode < 500 ? errors.invalid : errors.internal);
  });

  app.get<{ Querystring: PageQuery }>('/v1/pets', {
    schema: { querystring: pageQuery, response: { 200: { type: 'array', items: pet } } },
    handler(request, reply) {
      pets.list(request.query, (page) => {
        headers.list?.(request, reply, page);
        reply.send(page.pets);
      });
    },
  });

  app.post<{ Body: NewPet }>('/v1/pets', {
    schema: { body: newPet, response: { 201: pet } },
    handler(request, reply) {
      pets.create(request.body, (created) => {
        headers.create?.(reply, created);
        reply.code(201).send(created);
      });
    },
  });

  app.get<{ Params: { petId: number } }>('/v1/pets/:petId', {
    schema: {
      params: { type: 'object', properties: { petId: { type: 'integer' } } },
      response: { 200: pet },
    },
    handler(request, reply) {
      headers.get?.(reply);
      pets.find(request.params.petId, (found) => {
        if (found === undefined) reply.code(404).send(errors.notFound);
        else reply.send(found);
      });
    },
  });
}
