/**
 * Fastify in the fastest way: JSON schemas in both directions, callbacks, prepared statements. With `--headers` it also
 * has the headers and the log of our server.
 */
import { hash, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pino from 'pino';
import type { NewPet, PageQuery } from './shared/pets.ts';
import { ADDRESS, DATABASE_URL, errors, isAuthorized } from './shared/service.ts';
import { openStore } from './shared/store.ts';

const hasHeaders = process.argv.includes('--headers');

/** How long a log line may be buffered. */
const LOG_DELAY_MS = 10;

/** The headers of our getPet, which is deprecated. */
const DEPRECATION_HEADERS = {
  Deprecation: '@1764892800',
  Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  Link: '</docs>; rel="deprecation"; type="text/html", </v1/pets>; rel="successor-version"',
};

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

const pets = openStore(DATABASE_URL);
const app = Fastify(hasHeaders ? { genReqId: () => randomUUID() } : {});
if (hasHeaders) addHeadersAndLog();

app.addHook('onRequest', (request, reply, done) => {
  if (isAuthorized(request.headers.authorization)) done();
  else reply.code(401).send(errors.unauthorized);
});

app.get<{ Querystring: PageQuery }>('/v1/pets', {
  schema: { querystring: pageQuery, response: { 200: { type: 'array', items: pet } } },
  handler({ query }, reply) {
    pets.list(query, (page) => {
      if (hasHeaders && page.next !== undefined) reply.header('Link', linkTo(page.next, query));
      reply.send(page.pets);
    });
  },
});

app.post<{ Body: NewPet }>('/v1/pets', {
  schema: { body: newPet, response: { 201: pet } },
  handler({ body }, reply) {
    pets.create(body, (created) => {
      if (hasHeaders) reply.header('Location', `/v1/pets/${created.id}`);
      reply.code(201).send(created);
    });
  },
});

app.get<{ Params: { petId: number } }>('/v1/pets/:petId', {
  schema: {
    params: { type: 'object', properties: { petId: { type: 'integer' } } },
    response: { 200: pet },
  },
  handler({ params }, reply) {
    if (hasHeaders) reply.headers(DEPRECATION_HEADERS);
    pets.find(params.petId, (found) => {
      if (found === undefined) reply.code(404).send(errors.notFound);
      else reply.send(found);
    });
  },
});

await app.listen(ADDRESS);

/** Adds request ids, nosniff, entity tags and Cache-Control, and writes the access log. */
function addHeadersAndLog(): void {
  const output = pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: LOG_DELAY_MS });
  const log = pino({ base: null }, output);

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
    done();
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const hasTag = request.method === 'GET' && reply.statusCode === 200 && typeof payload === 'string';
    reply.header('Cache-Control', hasTag ? 'private, no-cache' : 'no-store');
    if (hasTag) reply.header('ETag', `"${hash('sha1', payload, 'base64url')}"`);
    done(null, payload);
  });

  app.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, method, routeOptions } = request;
    const { statusCode, elapsedTime: durationMs } = reply;
    log.info({ requestId, method, route: routeOptions.url, status: statusCode, durationMs });
    done();
  });
}

function linkTo(next: string, { limit, status }: PageQuery): string {
  const filter = status === undefined ? '' : `&status=${status}`;
  return `</v1/pets?limit=${limit}${filter}&cursor=${next}>; rel="next"`;
}
