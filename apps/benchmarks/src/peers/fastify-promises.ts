/**
 * The same Fastify with the visible promises of our server: request ids, nosniff, entity tags, a line of the access
 * log, and the headers of caches, deprecation, next pages and created pets.
 */
import { hash, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pino from 'pino';
import { addOperations } from './shared/fastify-operations.ts';
import { ADDRESS } from './shared/service.ts';

/** Lines are written together, as the documentation of pino recommends. */
const LOG_DELAY_MS = 10;
const output = pino.destination({ dest: 1, sync: false, minLength: 4096 });
setInterval(() => output.flush(), LOG_DELAY_MS).unref();
const log = pino({ base: null }, output);

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
  list({ query: { limit, status } }, reply, { next }) {
    if (next === undefined) return;
    const filter = status === undefined ? '' : `&status=${status}`;
    reply.header('Link', `</v1/pets?limit=${limit}${filter}&cursor=${next}>; rel="next"`);
  },
  create(reply, { id }) {
    reply.header('Location', `/v1/pets/${id}`);
  },
  get(reply) {
    reply
      .header('Deprecation', '@1764892800')
      .header('Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT')
      .header('Link', '</docs>; rel="deprecation"; type="text/html", </v1/pets>; rel="successor-version"');
  },
});

await app.listen(ADDRESS);
