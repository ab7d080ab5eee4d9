import type { NewPet, Pet } from '@petstore/contract';
import openApi from '@petstore/contract/openapi.json' with { type: 'json' };
import type { Fetch } from '../options.ts';
import { Catalogue } from './catalogue.ts';
import { Refusal } from './refusal.ts';
import { json } from './response.ts';

export interface MemoryPetStoreOptions {
  /** The key that it takes; by default one of its own. */
  apiKey?: string | undefined;
  /** Animals that are there from the start; their ids begin with 1. */
  pets?: readonly NewPet[] | undefined;
}

/** A pet store in memory, ready to be given to `createPetStore`. */
export interface MemoryPetStore {
  baseUrl: string;
  apiKey: string;
  /** Answers as the interface says. */
  fetch: Fetch;
  /** What is in the store at the moment. */
  readonly pets: readonly Pet[];
}

/** Makes a pet store in memory, for tests without a server: `createPetStore(createMemoryPetStore())`. */
export function createMemoryPetStore({
  apiKey = 'pst_memory',
  pets = [],
}: MemoryPetStoreOptions = {}): MemoryPetStore {
  const catalogue = new Catalogue();
  for (const pet of pets) catalogue.add(pet);

  return {
    baseUrl: 'http://petstore.test/v1',
    apiKey,
    pets: catalogue.pets,
    async fetch(url, init) {
      init.signal?.throwIfAborted();
      const request = new Request(url, init);
      const response = await answer(catalogue, request, apiKey).catch((error: unknown) => {
        if (error instanceof Refusal) return error.toResponse();
        throw error;
      });
      const id = request.headers.get('x-request-id') ?? '';
      response.headers.set('x-request-id', /^[\w.-]{1,128}$/.test(id) ? id : crypto.randomUUID());
      return request.method === 'HEAD' ? new Response(null, response) : response;
    },
  };
}

async function answer(catalogue: Catalogue, request: Request, apiKey: string): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/openapi.json') return json(200, JSON.stringify(openApi));
  if (['/livez', '/readyz', '/docs'].includes(pathname)) return new Response('ok');
  authenticate(request, apiKey);
  const [path, petId] = /^\/v1\/pets(?:\/([^/]+))?$/.exec(pathname) ?? [];
  if (path === undefined) throw new Refusal('path_not_found');
  const allowed = petId === undefined ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
  if (!allowed.includes(request.method))
    throw new Refusal('method_not_allowed', { allow: allowed.join(', ') });
  if (petId !== undefined) return catalogue.getPet(request, petId);
  return request.method === 'POST' ? catalogue.createPet(request) : catalogue.listPets(request);
}

/** @throws Refusal before anything else of the request is looked at */
function authenticate({ headers }: Request, apiKey: string): void {
  const [, key] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  if (key === apiKey) return;
  const challenge = 'Bearer realm="petstore"';
  throw key === undefined
    ? new Refusal('missing_api_key', { 'www-authenticate': challenge })
    : new Refusal('invalid_api_key', { 'www-authenticate': `${challenge}, error="invalid_token"` });
}
