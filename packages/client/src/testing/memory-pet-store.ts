import { deprecationHeaders, getPetDeprecation, type Scope, v1 } from '@petstore/contract';
import openApi from '@petstore/contract/openapi.json' with { type: 'json' };
import type { NewPet, Pet, PetId } from '../contract.ts';
import type { Fetch } from '../options.ts';
import { HttpError } from './http-error.ts';
import { PetRoutes } from './pet-routes.ts';
import { json } from './response.ts';

export interface MemoryPetStoreOptions {
  /**
   * The API key that it accepts.
   *
   * @default 'pst_memory'
   */
  apiKey?: string | undefined;
  /** Another API key that it accepts, which may not add pets. */
  readApiKey?: string | undefined;
  /** Pets that are there from the start. */
  pets?: readonly NewPet[] | undefined;
  /**
   * The id of the first pet; later ones count up. One just below 2^53 shows whether an app rounds ids.
   *
   * @default 1
   */
  firstId?: PetId | undefined;
}

/** A pet store in memory, ready to be given to `createPetStore`. */
export interface MemoryPetStore {
  baseUrl: string;
  apiKey: string;
  /** Responds as the interface says. */
  fetch: Fetch;
  /** What is in the store at the moment. */
  readonly pets: readonly Pet[];
}

/** Every method of RFC 9110 and RFC 5789 that a server knows; any other one is 501. */
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

const PETS_PATH = /^\/v1\/pets(?:\/([^/]+))?$/;

/** Every response of getPet has them, errors too. */
const getPetHeaders = deprecationHeaders(getPetDeprecation, { documentation: '/docs', baseUrl: v1.prefix });

/** Makes a pet store in memory, for tests without a server: `createPetStore(createMemoryPetStore())`. */
export function createMemoryPetStore({
  apiKey = 'pst_memory',
  readApiKey,
  pets = [],
  firstId = 1,
}: MemoryPetStoreOptions = {}): MemoryPetStore {
  const routes = new PetRoutes(BigInt(firstId));
  const scopes = new Map<string | undefined, Scope>([[apiKey, 'write']]);
  if (readApiKey !== undefined) scopes.set(readApiKey, 'read');
  for (const pet of pets) routes.add(pet);

  return {
    baseUrl: 'http://petstore.test/v1',
    apiKey,
    pets: routes.pets,
    async fetch(url, init) {
      init.signal?.throwIfAborted();
      const request = new Request(url, init);
      const response = await respond(routes, request, scopes).catch((error: unknown) => {
        if (error instanceof HttpError) return error.toResponse();
        throw error;
      });
      const id = request.headers.get('x-request-id') ?? '';
      response.headers.set('x-request-id', /^[\w.-]{1,128}$/.test(id) ? id : crypto.randomUUID());
      if (isGetPet(request)) {
        for (const [name, value] of Object.entries(getPetHeaders)) response.headers.set(name, value);
      }
      return request.method === 'HEAD' ? new Response(null, response) : response;
    },
  };
}

function isGetPet({ method, url }: Request): boolean {
  const [, petId] = PETS_PATH.exec(new URL(url).pathname) ?? [];
  return petId !== undefined && ['GET', 'HEAD'].includes(method);
}

type Scopes = ReadonlyMap<string | undefined, Scope>;

async function respond(routes: PetRoutes, request: Request, scopes: Scopes): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/openapi.json') return json(200, JSON.stringify(openApi));
  if (['/livez', '/readyz', '/docs'].includes(pathname)) return new Response('ok');
  const scope = authenticate(request, scopes);
  const { method } = request;
  if (!KNOWN_METHODS.has(method)) throw new HttpError('method_not_implemented');
  const [path, petId] = PETS_PATH.exec(pathname) ?? [];
  if (path === undefined) throw new HttpError('path_not_found');
  const allowed = petId === undefined ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
  if (!allowed.includes(method)) throw new HttpError('method_not_allowed', { allow: allowed.join(', ') });
  if (petId !== undefined) return routes.getPet(request, petId);
  if (method !== 'POST') return routes.listPets(request);
  if (scope === 'read') {
    throw new HttpError('insufficient_scope', {
      'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="write"`,
    });
  }
  return routes.createPet(request);
}

const CHALLENGE = 'Bearer realm="petstore"';

/** @throws HttpError before anything else of the request is looked at */
function authenticate({ headers }: Request, scopes: Scopes): Scope {
  const [, key] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  const scope = scopes.get(key);
  if (scope !== undefined) return scope;
  throw key === undefined
    ? new HttpError('missing_api_key', { 'www-authenticate': CHALLENGE })
    : new HttpError('invalid_api_key', { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` });
}
