import { deprecationHeaders, Int64, NewPet as NewPetSchema, type Scope, v1 } from '@petstore/contract';
import openApi from '@petstore/contract/openapi.json' with { type: 'json' };
import type { NewPet, Pet, PetId } from '../contract.ts';
import { checkRuntime } from '../diagnostics/check-options.ts';
import type { Fetch } from '../options.ts';
import { HttpError } from './http-error.ts';
import { PetRoutes } from './pet-routes.ts';
import { errorResponse, json } from './response.ts';
import { findRoutes, type MatchingRoute } from './routes.ts';

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

/**
 * Makes a pet store in memory, for tests without a server: `createPetStore(createMemoryPetStore())`.
 *
 * @throws ZodError for a pet or an id that the interface does not allow, such as a number that was rounded
 * @throws TypeError in a runtime that lacks something, such as Jest's jsdom
 */
export function createMemoryPetStore({
  apiKey = 'pst_memory',
  readApiKey,
  pets = [],
  firstId = 1,
}: MemoryPetStoreOptions = {}): MemoryPetStore {
  checkRuntime(null, ['Request', 'Response', 'TextEncoder']);
  const store = new PetRoutes(BigInt(Int64.parse(firstId)));
  const scopes = new Map<string | undefined, Scope>([[apiKey, 'write']]);
  if (readApiKey !== undefined) scopes.set(readApiKey, 'read');
  for (const pet of pets) store.add(NewPetSchema.parse(pet));

  return {
    baseUrl: 'http://petstore.test/v1',
    apiKey,
    pets: store.pets,
    async fetch(url, init) {
      init.signal?.throwIfAborted();
      const request = new Request(url, init);
      const matches = findRoutes(new URL(url).pathname);
      const route = matches.find(({ method }) => methodsOf(method).includes(request.method));
      const response = await respond(store, request, { scopes, matches, route }).catch((error: unknown) => {
        if (error instanceof HttpError) return errorResponse(error);
        throw error;
      });
      const id = request.headers.get('x-request-id') ?? '';
      response.headers.set('x-request-id', /^[\w.-]{1,128}$/.test(id) ? id : crypto.randomUUID());
      for (const [name, value] of deprecationHeadersOf(route)) response.headers.set(name, value);
      return request.method === 'HEAD' ? new Response(null, response) : response;
    },
  };
}

/** The headers that every response of a deprecated operation has, errors too. */
function deprecationHeadersOf(route: MatchingRoute | undefined): [name: string, value: string][] {
  const { deprecation } = route?.metadata ?? {};
  const links = { documentation: '/docs', baseUrl: v1.prefix };
  return deprecation ? Object.entries(deprecationHeaders(deprecation, links)) : [];
}

const methodsOf = (method: string) => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

type Scopes = ReadonlyMap<string | undefined, Scope>;

interface Routing {
  scopes: Scopes;
  /** The routes of the path. */
  matches: readonly MatchingRoute[];
  /** The one of them that has the method of the request. */
  route: MatchingRoute | undefined;
}

async function respond(
  store: PetRoutes,
  request: Request,
  { scopes, matches, route }: Routing,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/openapi.json') return json(200, JSON.stringify(openApi));
  if (['/livez', '/readyz', '/docs'].includes(pathname)) return new Response('ok');
  const scope = authenticate(request, scopes);
  if (!KNOWN_METHODS.has(request.method)) throw new HttpError('method_not_implemented');
  if (matches.length === 0) throw new HttpError('path_not_found');
  if (route === undefined) {
    const allow = matches.flatMap(({ method }) => methodsOf(method)).join(', ');
    throw new HttpError('method_not_allowed', { allow });
  }
  if (route.metadata.scope === 'write' && scope === 'read') {
    throw new HttpError('insufficient_scope', {
      'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="write"`,
    });
  }
  return store[route.operation](request, route.parameter);
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
