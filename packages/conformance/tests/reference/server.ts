import openapi from '@petstore/contract/openapi.json' with { type: 'json' };
import type { Fetch } from '../../src/target.ts';
import { json, Refusal, refuse } from './answers.ts';
import { createPet, createStore, getPet, listPets, type Store } from './pets.ts';

export const API_KEY = 'reference-key';

const WELL_FORMED_ID = /^[\w.-]{1,128}$/;

/** A correct implementation of the whole interface, in memory, as a `fetch`. */
export function createReferenceServer(): Fetch {
  const store = createStore();
  return async (url, init) => {
    const request = new Request(url, init);
    const response = await handle(store, request).catch((error: unknown) => {
      if (error instanceof Refusal) return refuse(error);
      throw error;
    });
    const id = request.headers.get('x-request-id') ?? '';
    response.headers.set('X-Request-Id', WELL_FORMED_ID.test(id) ? id : crypto.randomUUID());
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
}

async function handle(store: Store, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/openapi.json') return json(200, JSON.stringify(openapi));
  if (['/livez', '/readyz', '/docs'].includes(pathname)) return new Response('ok');
  authenticate(request);
  const [, petId] = /^\/v1\/pets(?:\/([^/]+))?$/.exec(pathname) ?? [undefined, null];
  if (petId === null) throw new Refusal('path_not_found');
  const allowed = petId === undefined ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
  if (!allowed.includes(request.method)) {
    throw new Refusal('method_not_allowed', { Allow: allowed.join(', ') });
  }
  if (petId !== undefined) return getPet(store, request, petId);
  return request.method === 'POST' ? createPet(store, request) : listPets(store, request);
}

/** @throws Refusal before anything else of the request is looked at */
function authenticate(request: Request): void {
  const field = request.headers.get('authorization') ?? '';
  const [, key] = /^Bearer +(\S+)$/i.exec(field) ?? [];
  if (key === API_KEY) return;
  const challenge = 'Bearer realm="petstore"';
  if (key === undefined) throw new Refusal('missing_api_key', { 'WWW-Authenticate': challenge });
  throw new Refusal('invalid_api_key', { 'WWW-Authenticate': `${challenge}, error="invalid_token"` });
}
