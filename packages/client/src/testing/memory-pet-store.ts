import { deprecationHeaders, Int64, REQUEST_ID, type Scope, type Version } from '@petstore/contract';
import { type NewPet, type Operation, operations, type Pet, type PetId } from '../contract.ts';
import { checkRuntime } from '../diagnostics/check-options.ts';
import type { Fetch } from '../options.ts';
import { NewPet as NewPetSchema, openApi, version } from './interface.ts';
import { PetRoutes } from './pet-routes.ts';
import { errorResponse, HttpError, json } from './response.ts';

export interface MemoryPetStoreOptions {
  /**
   * The base URL, as an app under test has it. It ends with the version prefix.
   * @default 'http://petstore.test/v1'
   */
  baseUrl?: string | undefined;
  /**
   * An API key with the scope `write`.
   * @default 'pst_memory'
   */
  apiKey?: string | undefined;
  /** An API key with the scope `read`. */
  readApiKey?: string | undefined;
  /** Pets in the store from the start. */
  pets?: readonly NewPet[] | undefined;
  /**
   * The id of the first pet; ids count up. Ids near 2^53 show whether an app rounds them.
   * @default 1
   */
  firstId?: PetId | undefined;
}

/** A pet store in memory, which `createPetStore` takes as its options. */
export interface MemoryPetStore {
  baseUrl: string;
  apiKey: string;
  /** Responds as the interface says. */
  fetch: Fetch;
  /** The pets in the store: the array changes with it. */
  readonly pets: readonly Pet[];
}

/** The methods of RFC 9110 and RFC 5789 that a Request can have; any other method gets 501. */
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const CHALLENGE = 'Bearer realm="petstore"';

const { contract, prefix }: Version = version;

const DEFAULT_BASE_URL = `http://petstore.test${prefix}`;

/** Narrows the type. It is true for every operation of the contract, because `operations` is generated from it. */
const isOperation = (name: string): name is Operation => name in operations;

const routes = Object.values(contract)
  .flatMap((resource) => Object.entries(resource))
  .map(([operation, { method, path, metadata }]) => ({
    operation,
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    metadata,
    pattern: new RegExp(`^${prefix}${path.replaceAll(/:\w+/g, '([^/]+)')}$`),
  }));

/**
 * Creates a pet store in memory, for tests without a server: `createPetStore(createMemoryPetStore())`.
 * @throws ZodError for a pet or an id that the interface does not allow, such as a number that was rounded
 * @throws TypeError in a runtime that lacks a feature, such as Jest's jsdom
 */
export function createMemoryPetStore({
  baseUrl = DEFAULT_BASE_URL,
  apiKey = 'pst_memory',
  readApiKey,
  pets = [],
  firstId = 1,
}: MemoryPetStoreOptions = {}): MemoryPetStore {
  checkRuntime(['Request', 'Response', 'TextEncoder']);
  // `buildRequest` has the same expression: sharing it would cost the client 15 bytes.
  const base = baseUrl.replace(/\/*([?#].*)?$/, '');
  const store = new PetRoutes(Int64.parse(firstId));
  const scopes = new Map<string, Scope>([[apiKey, 'write']]);
  if (readApiKey !== undefined) scopes.set(readApiKey, 'read');
  for (const pet of pets) store.add(NewPetSchema.parse(pet));

  return {
    baseUrl,
    apiKey,
    pets: store.pets,
    async fetch(url, init) {
      init.signal?.throwIfAborted();
      // The patterns of the routes begin with the version prefix.
      const ownUrl = url.startsWith(base) ? DEFAULT_BASE_URL + url.slice(base.length) : url;
      const request = new Request(ownUrl, init);
      const response = await respond(store, request, scopes).catch((error: unknown) => {
        if (error instanceof HttpError) return errorResponse(error);
        throw error;
      });
      const id = request.headers.get('x-request-id') ?? '';
      response.headers.set('x-request-id', REQUEST_ID.test(id) ? id : crypto.randomUUID());
      const { deprecation } = findRoute(request).route?.metadata ?? {};
      const links = { documentation: '/docs', root: '' };
      const headers = deprecation ? Object.entries(deprecationHeaders(deprecation, links)) : [];
      // Errors of a deprecated operation have these headers, too. Appended, because a page has a Link of its own.
      for (const [name, value] of headers) response.headers.append(name, value);
      return request.method === 'HEAD' ? new Response(null, response) : response;
    },
  };
}

function findRoute({ method, url }: Request) {
  const { pathname } = new URL(url);
  const matches = routes.filter(({ pattern }) => pattern.test(pathname));
  return { pathname, matches, route: matches.find(({ methods }) => methods.includes(method)) };
}

async function respond(store: PetRoutes, request: Request, scopes: Map<string, Scope>): Promise<Response> {
  const { pathname, matches, route } = findRoute(request);
  if (pathname === '/openapi.json') return json(200, JSON.stringify(openApi));
  if (['/livez', '/readyz', '/docs'].includes(pathname)) return new Response('ok');
  const [, key] = /^Bearer +(\S.*)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (key === undefined) throw new HttpError('missing_api_key', { 'www-authenticate': CHALLENGE });
  const scope = scopes.get(key);
  if (scope === undefined) {
    throw new HttpError('invalid_api_key', { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` });
  }
  if (!KNOWN_METHODS.includes(request.method)) throw new HttpError('method_not_implemented');
  if (matches.length === 0) throw new HttpError('path_not_found');
  if (route === undefined || !isOperation(route.operation)) {
    const allow = matches.flatMap(({ methods }) => methods).join(', ');
    throw new HttpError('method_not_allowed', { allow });
  }
  if (route.metadata.scope === 'write' && scope === 'read') {
    throw new HttpError('insufficient_scope', {
      'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="write"`,
    });
  }
  return store[route.operation](request, route.pattern.exec(pathname)?.[1] ?? '');
}
