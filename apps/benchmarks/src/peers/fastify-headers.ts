/**
 * The Fastify of fastify-tuned.ts with the headers and the log of our server: request ids, nosniff, entity tags,
 * Cache-Control, Location, an access log, and the headers of deprecation and pagination.
 */
import { hash, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { addOperations } from './shared/fastify-operations.ts';
import { createLog } from './shared/log.ts';
import { DEPRECATION_HEADERS, linkTo } from './shared/schemas.ts';
import { ADDRESS } from './shared/service.ts';

const log = createLog();
const app = Fastify({ genReqId: () => randomUUID() });

app.addHook('onRequest', (request, reply, done) => {
  reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
  done();
});

app.addHook('onSend', (request, reply, payload, done) => {
  if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') {
    reply.header('Cache-Control', 'no-store');
    return done(null, payload);
  }
  const tag = `"${hash('sha1', payload, 'base64url')}"`;
  reply.header('Cache-Control', 'private, no-cache').header('ETag', tag);
  if (request.headers['if-none-match'] !== tag) return done(null, payload);
  reply.code(304);
  done(null, null);
});

app.addHook('onResponse', (request, reply, done) => {
  const { id: requestId, method, routeOptions } = request;
  const { statusCode: status, elapsedTime: durationMs } = reply;
  log.info({ requestId, method, route: routeOptions.url, status, durationMs });
  done();
});

addOperations(app, {
  list({ query }, reply, { next }) {
    if (next !== undefined) reply.header('Link', linkTo(next, query));
  },
  create(reply, { id }) {
    reply.header('Location', `/v1/pets/${id}`);
  },
  get(reply) {
    reply.headers(DEPRECATION_HEADERS);
  },
});

await app.listen(ADDRESS);
