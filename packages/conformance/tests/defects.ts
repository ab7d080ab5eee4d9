import { decodeCursor, encodeCursor, findLink } from '@petstore/contract';
import type { Fetch } from '../src/target.ts';
import { API_KEY, READ_API_KEY } from './support.ts';

/** A defect of a deployment, as a change to a correct deployment. */
export interface Defect {
  defect: string;
  /** The name of the check that must find it. */
  foundBy: string;
  breaks: (reference: Fetch) => Fetch;
}

/** The parts of a response that a defect can change. */
interface ChangeableResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** The parts of a request that a defect can change. */
interface ChangeableRequest {
  method: string;
  url: URL;
  headers: Headers;
  /** The body, if it is text. */
  text: string;
}

const changeable = (url: string, { method = 'GET', headers, body }: RequestInit): ChangeableRequest => ({
  method,
  url: new URL(url),
  headers: new Headers(headers),
  text: typeof body === 'string' ? body : '',
});

/** The service changes the request before it processes it. */
export function changesRequest(change: (request: ChangeableRequest) => void): Defect['breaks'] {
  return (reference) => async (url, init) => {
    const request = changeable(url, init);
    const { text } = request;
    change(request);
    const { method, headers } = request;
    const body = request.text === text ? (init.body ?? null) : request.text;
    return reference(request.url.href, { ...init, method, headers, body });
  };
}

/** The service changes its response before it returns it. */
export function changesResponse(
  change: (response: ChangeableResponse, request: ChangeableRequest) => void,
): Defect['breaks'] {
  return (reference) => async (url, init) => {
    const { status, headers, body } = await reference(url, init);
    const changed = { status, headers, text: await new Response(body).text() };
    change(changed, changeable(url, init));
    const isBodiless = changed.status === 304 || init.method === 'HEAD';
    return new Response(isBodiless ? null : changed.text, changed);
  };
}

/** Responses lack a header. */
export const lacksHeader = (name: string) => changesResponse(({ headers }) => headers.delete(name));

/** The service accepts a request that it must refuse, and returns an invented pet. */
const accepts = (condition: (response: ChangeableResponse, request: ChangeableRequest) => boolean) =>
  changesResponse((response, request) => {
    if (!condition(response, request)) return;
    const pet = '{"id":1,"name":"x","categoryId":1}';
    response.status = request.method === 'POST' ? 201 : 200;
    response.text = request.method === 'POST' || /\/pets\/./.test(request.url.pathname) ? pet : `[${pet}]`;
  });

/** The service refuses a request with this status, but adds its pet. */
const addsRefused =
  (refused: number, fits: (request: ChangeableRequest) => boolean = () => true): Defect['breaks'] =>
  (reference) =>
  async (url, init) => {
    const response = await reference(url, init);
    const request = changeable(url, init);
    const [, name] = /.*"name":("[^"]*")/s.exec(request.text) ?? [];
    if (response.status === refused && request.method === 'POST' && name && fits(request)) {
      const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
      const body = `{"name":${name},"categoryId":1,"status":"sold"}`;
      await reference(url, { method: 'POST', headers, body });
    }
    return response;
  };

/** The service caches the first fitting response to each URL, and returns it to each later GET. */
const repeatsResponses =
  (fits: (request: ChangeableRequest, status: number) => boolean): Defect['breaks'] =>
  (reference) => {
    const cache = new Map<string, Response>();
    return async (url, init) => {
      const cached = cache.get(url);
      if (cached !== undefined && init.method === 'GET') return cached.clone();
      const response = await reference(url, init);
      if (fits(changeable(url, init), response.status)) cache.set(url, response.clone());
      return response;
    };
  };

/** The service does not compare this property of a pet when an Idempotency-Key is used again. */
const ignoresInRepetitions =
  (property: string): Defect['breaks'] =>
  (reference) => {
    const first = new Map<string, string>();
    const rest = (text: string) =>
      JSON.stringify(JSON.parse(text), (name, value: unknown) => (name === property ? undefined : value));
    return async (url, init) => {
      const { headers, text } = changeable(url, init);
      const key = headers.get('idempotency-key');
      if (key === null) return reference(url, init);
      const body = first.get(key) ?? text;
      first.set(key, body);
      return reference(url, rest(text) === rest(body) ? { ...init, body } : init);
    };
  };

/** The service changes the members of the pets that it lists. */
const lists = (change: (text: string) => string) =>
  changesResponse((response, { method, url }) => {
    if (method === 'GET' && url.pathname.endsWith('/pets')) response.text = change(response.text);
  });

const REFUSED = 'A request that createPet refuses leaves no pet behind';
const REFUSED_BY_CONTRACT = 'A request that only the contract refuses leaves no pet behind';
const LISTED = 'listPets returns the values of getPet';

/** Defects that no single response shows. */
const defectsOfState: Defect[] = [
  { defect: 'a pet added without a key', foundBy: REFUSED, breaks: addsRefused(401) },
  {
    defect: 'a pet added with Basic credentials',
    foundBy: REFUSED_BY_CONTRACT,
    breaks: addsRefused(401, ({ headers }) => headers.get('authorization')?.startsWith('Basic') === true),
  },
  {
    defect: 'a pet added with a key that may only read',
    foundBy: 'createPet with a key that may only read leaves no pet behind',
    breaks: addsRefused(403),
  },
  { defect: 'an invalid pet added', foundBy: REFUSED, breaks: addsRefused(400) },
  {
    defect: 'a pet with an invalid Idempotency-Key added',
    foundBy: REFUSED_BY_CONTRACT,
    breaks: addsRefused(400, ({ headers }) => headers.has('idempotency-key')),
  },
  { defect: 'a pet of too many bytes added', foundBy: REFUSED_BY_CONTRACT, breaks: addsRefused(413) },
  { defect: 'a pet of another media type added', foundBy: REFUSED_BY_CONTRACT, breaks: addsRefused(415) },
  {
    defect: 'a pet added for a reused Idempotency-Key',
    foundBy: 'The same Idempotency-Key with another body returns 422 and adds no pet',
    breaks: addsRefused(422),
  },
  {
    defect: 'an Idempotency-Key used up by a refused request',
    foundBy: 'A refused request leaves its Idempotency-Key to the next request',
    breaks: (reference) => {
      const used = new Set<string | null>();
      return async (url, init) => {
        const { headers } = changeable(url, init);
        const key = headers.get('idempotency-key');
        if (key !== null && used.has(key)) headers.set('idempotency-key', 'two words');
        const response = await reference(url, { ...init, headers });
        if (key !== null && response.status === 400) used.add(key);
        return response;
      };
    },
  },
  {
    defect: 'the first response lost when its Idempotency-Key is reused',
    foundBy: 'A refused body leaves the first response to its Idempotency-Key in place',
    breaks: (reference) => {
      const reused = new Set<string | null>();
      return async (url, init) => {
        const { headers } = changeable(url, init);
        const key = headers.get('idempotency-key');
        if (reused.has(key)) headers.set('idempotency-key', `${key}-again`);
        const response = await reference(url, { ...init, headers });
        if (response.status === 422) reused.add(key);
        return response;
      };
    },
  },
  {
    defect: 'one ETag for everything',
    foundBy: 'Each pet and each page has an ETag of its own',
    breaks: changesResponse(({ headers }) => headers.has('etag') && headers.set('etag', '"1"')),
  },
  {
    defect: 'an ETag for each URL that never changes',
    foundBy: 'The ETag of the last page changes when a pet is added',
    breaks: changesResponse(({ headers }, { url }) => {
      if (headers.has('etag')) headers.set('etag', `"${btoa(url.href)}"`);
    }),
  },
  {
    defect: 'a 404 that is returned again after the pet was added',
    foundBy: 'getPet returns a new pet although its id was requested before the pet existed',
    breaks: repeatsResponses(({ url }, status) => status === 404 && url.pathname.includes('/pets/')),
  },
  {
    defect: 'a page that is returned again after a pet was added',
    foundBy: 'listPets returns a pet that was added',
    breaks: repeatsResponses(({ url }) => url.pathname.endsWith('/pets')),
  },
  {
    defect: 'names cut in listings',
    foundBy: LISTED,
    breaks: lists((text) => text.replaceAll(/"name":"x{255}x*"/g, `"name":"${'x'.repeat(255)}"`)),
  },
  {
    defect: 'names trimmed in listings',
    foundBy: LISTED,
    breaks: lists((text) => text.replaceAll(/"name":" +/g, '"name":"')),
  },
  {
    defect: 'a status invented in listings',
    foundBy: LISTED,
    breaks: lists((text) =>
      text.replaceAll(/("categoryId":-?\d+)(?![^{}]*"status")/g, '$1,"status":"available"'),
    ),
  },
  {
    defect: 'a next link after a full last page',
    foundBy: 'A next link leads to a page with pets',
    breaks: changesResponse(({ headers, text }, { url }) => {
      const id = /.*"id":(\d+)/s.exec(text)?.[1];
      const count = text.split('"id":').length - 1;
      const hasNext = findLink(headers.get('link'), 'next') !== undefined;
      if (!id || hasNext || count !== Number(url.searchParams.get('limit') ?? 20)) return;
      const cursor = decodeCursor(url.searchParams.get('cursor') ?? '');
      const next = encodeCursor({ ...cursor, after: BigInt(id) });
      headers.append('link', `</v1/pets?limit=${count}&cursor=${next}>; rel="next"`);
    }),
  },
];

export const defects: Defect[] = [
  ...defectsOfState,
  {
    defect: 'a read-only key accepted for writing',
    foundBy: 'createPet with a key that may only read returns 403 and the challenge insufficient_scope',
    breaks: changesRequest(({ headers }) => {
      if (headers.get('authorization')?.includes(READ_API_KEY))
        headers.set('authorization', `Bearer ${API_KEY}`);
    }),
  },
  {
    defect: '429 without Retry-After',
    foundBy: 'A request beyond the limit returns 429 with the seconds to wait in Retry-After',
    breaks: changesResponse((response) => {
      response.status = 429;
      response.text = '{"code":"rate_limited","message":"Later.","status":429}';
    }),
  },
  {
    defect: 'a description of version 2',
    foundBy: '/openapi.json beside the version prefix has the version of the prefix',
    breaks: changesResponse((response) => {
      response.text = response.text.replace('"1.0.0"', '"2.0.0"');
    }),
  },
  {
    defect: 'the last of two members with the same name accepted',
    foundBy: 'createPet returns 400 for member names that occur twice',
    breaks: accepts((_response, { text }) => text.includes('"name":"x","name":"y"')),
  },
  {
    defect: 'Location missing',
    foundBy: 'Location is the URL of the new pet',
    breaks: lacksHeader('Location'),
  },
  {
    defect: 'idempotency keys in lower case',
    foundBy: 'Idempotency-Keys that differ in case are different keys',
    breaks: changesRequest(({ headers }) => {
      const key = headers.get('idempotency-key');
      if (key !== null) headers.set('idempotency-key', key.toLowerCase());
    }),
  },
  {
    defect: 'idempotency keys cut to 200 characters',
    foundBy: 'Idempotency-Keys of 255 visible characters that differ in the last one are different keys',
    breaks: changesRequest(({ headers }) => {
      const key = headers.get('idempotency-key');
      if (key !== null) headers.set('idempotency-key', key.slice(0, 200));
    }),
  },
  ...['name', 'categoryId', 'status'].map((property) => ({
    defect: `an Idempotency-Key that is compared with every property but ${property}`,
    foundBy: 'The same Idempotency-Key with a pet that differs in one property returns 422',
    breaks: ignoresInRepetitions(property),
  })),
  {
    defect: 'names normalised (NFC)',
    foundBy: 'A name with decomposed characters is kept exactly',
    breaks: changesRequest((request) => {
      if (request.text !== '') request.text = request.text.normalize('NFC');
    }),
  },
  {
    defect: 'null accepted as a missing status',
    foundBy: 'createPet returns 400 for a status that is null',
    breaks: accepts((_response, { text }) => text.includes('"status":null')),
  },
  {
    defect: 'Sunset missing',
    foundBy: 'getPet announces its deprecation, its removal on 5 December 2030 and its successor in a 404',
    breaks: lacksHeader('Sunset'),
  },
  {
    defect: '200 for an unknown pet',
    foundBy: 'getPet returns 404 for an id that no pet has',
    breaks: accepts(({ text }) => text.includes('"pet_not_found"')),
  },
  {
    defect: 'If-None-Match compared as a whole',
    foundBy: 'listPets returns 304 when If-None-Match has several entity tags or weak ones',
    breaks: changesRequest(({ headers }) => {
      if (headers.get('if-none-match')?.includes(',')) headers.delete('if-none-match');
    }),
  },
  {
    defect: 'If-None-Match: * ignored',
    foundBy: 'getPet returns 304 when If-None-Match is *',
    breaks: changesRequest(({ headers }) => {
      if (headers.get('if-none-match') === '*') headers.delete('if-none-match');
    }),
  },
  {
    defect: 'HEAD not supported',
    foundBy: 'HEAD returns the status and headers of listPets without the body',
    breaks: changesResponse((response, { method }) => {
      if (method === 'HEAD') response.status = 405;
    }),
  },
  {
    defect: 'paths compared without regard to case',
    foundBy: 'A path in capitals returns 404',
    breaks: changesRequest(({ url }) => {
      url.pathname = url.pathname.toLowerCase();
    }),
  },
  {
    defect: 'next link that skips a pet',
    foundBy: 'A reader of all pages sees every acknowledged pet once, in ascending order, while others write',
    breaks: changesResponse(({ headers }) => {
      const link = headers.get('link') ?? '';
      const [, text = ''] = /cursor=([\w-]+)/.exec(link) ?? [];
      const cursor = decodeCursor(text);
      if (cursor === undefined) return;
      const next = encodeCursor({ ...cursor, after: BigInt(cursor.after) + 1n });
      headers.set('link', link.replace(text, next));
    }),
  },
  {
    defect: 'limits above 50 cut to 50',
    foundBy: 'A page has 100 pets when limit is 100',
    breaks: changesRequest(({ url: { searchParams } }) => {
      if (Number(searchParams.get('limit')) > 50) searchParams.set('limit', '50');
    }),
  },
  {
    defect: 'status filter ignored',
    foundBy: 'The filter status=sold returns a pet of that status and no other',
    breaks: changesRequest(({ url }) => url.searchParams.delete('status')),
  },
  {
    defect: 'the filter missing in the cursor',
    foundBy: 'A cursor carries its status filter',
    breaks: changesRequest(({ url: { searchParams } }) => {
      const cursor = decodeCursor(searchParams.get('cursor') ?? '');
      if (cursor !== undefined) searchParams.set('cursor', encodeCursor({ after: cursor.after }));
    }),
  },
];
