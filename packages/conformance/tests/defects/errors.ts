import type { Fetch } from '../../src/target.ts';
import { API_KEY, READ_API_KEY } from '../reference.ts';
import { accepts, changesHeader, changesRequest, changesResponse, type Defect } from './defect.ts';

const readsBodyFirst = (reference: Fetch): Fetch => {
  return async (url, init) => {
    const body = init.body ? await new Response(init.body).arrayBuffer() : null;
    return reference(url, { ...init, body });
  };
};

/** Errors with this status have another body. */
function changesError(condition: RegExp, text: (text: string) => string): Defect['breaks'] {
  return changesResponse((response) => {
    if (response.status >= 400 && condition.test(response.text)) response.text = text(response.text);
  });
}

/** Without a key, the response is what it would be with one, when that is an error too. */
const keyLast = (reference: Fetch): Fetch => {
  return async (url, init) => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization') && !(init.body instanceof ReadableStream)) {
      headers.set('authorization', `Bearer ${API_KEY}`);
    }
    const withKey = await reference(url, { ...init, headers });
    return withKey.status >= 400 ? withKey : reference(url, init);
  };
};

export const errorsDefects: Defect[] = [
  {
    defect: 'key not checked',
    foundBy: 'listPets without a key returns 401 with an Error body',
    breaks: changesRequest(({ headers }) => headers.set('authorization', `Bearer ${API_KEY}`)),
  },
  {
    defect: 'any key accepted',
    foundBy: 'A wrong key returns invalid_api_key and the challenge invalid_token',
    breaks: changesRequest(({ headers }) => {
      if (headers.get('authorization')?.startsWith('Bearer'))
        headers.set('authorization', `Bearer ${API_KEY}`);
    }),
  },
  {
    defect: 'only the beginning of a key compared',
    foundBy: 'A wrong key returns invalid_api_key and the challenge invalid_token',
    breaks: changesRequest(({ headers }) => {
      if (headers.get('authorization')?.includes(API_KEY)) headers.set('authorization', `Bearer ${API_KEY}`);
    }),
  },
  {
    defect: 'no key accepted',
    foundBy: 'A request with the API key as a bearer token returns 200',
    breaks: changesRequest(({ headers, url }) => {
      if (url.search === '?limit=1') headers.set('authorization', 'Bearer x');
    }),
  },
  {
    defect: 'scheme compared in its case',
    foundBy: 'The scheme Bearer is accepted in any case',
    breaks: changesRequest(({ headers }) => {
      if (headers.get('authorization')?.startsWith('bearer')) headers.delete('authorization');
    }),
  },
  {
    defect: '401 without a body',
    foundBy: 'createPet without a key returns 401 with an Error body',
    breaks: changesResponse((response) => {
      if (response.status === 401) response.text = '';
    }),
  },
  {
    defect: '403 in place of 401',
    foundBy: 'The scheme Bearer without a key returns 401',
    breaks: changesResponse((response) => {
      if (response.status === 401) response.status = 403;
    }),
  },
  {
    defect: '401 after the body was read',
    foundBy: 'A request without a key returns 401 before its body has arrived',
    breaks: readsBodyFirst,
  },
  {
    defect: 'a key that may only read taken for one that may write',
    foundBy: 'createPet with a key that may only read returns 403 and the challenge insufficient_scope',
    breaks: changesRequest(({ headers }) => {
      if (headers.get('authorization')?.includes(READ_API_KEY))
        headers.set('authorization', `Bearer ${API_KEY}`);
    }),
  },
  {
    defect: 'a key that may only read refused',
    foundBy: 'listPets with a key that may only read returns 200',
    breaks: changesRequest(({ headers }) => {
      if (headers.get('authorization')?.includes(READ_API_KEY)) headers.set('authorization', 'Bearer x');
    }),
  },
  {
    defect: 'RateLimit in the notation of an older draft',
    foundBy: 'A deployment that limits the rate of requests says with each response what is left',
    breaks: changesResponse(({ headers }) => {
      headers.set('ratelimit-policy', '60;w=60');
      headers.set('ratelimit', 'limit=60, remaining=59, reset=60');
    }),
  },
  {
    defect: 'RateLimit only with successes',
    foundBy: 'A deployment that limits the rate of requests says with each response what is left',
    breaks: changesResponse(({ headers, status }) => {
      if (status >= 400) return;
      headers.set('ratelimit-policy', '"default";q=60;w=60');
      headers.set('ratelimit', '"default";r=59;t=1');
    }),
  },
  {
    defect: '429 without Retry-After',
    foundBy: 'listPets with a key that may only read returns 200',
    breaks: changesResponse((response) => {
      if (response.status !== 200) return;
      response.status = 429;
      response.text = '{"code":"rate_limited","message":"Later.","status":429}';
    }),
  },
  {
    defect: 'no WWW-Authenticate',
    foundBy: 'A request without a key returns missing_api_key and a Bearer challenge',
    breaks: changesHeader('WWW-Authenticate'),
  },
  {
    defect: 'a missing key called an invalid token',
    foundBy: 'Another scheme than Bearer returns missing_api_key',
    breaks: changesResponse(({ headers }) => {
      if (headers.has('www-authenticate')) {
        headers.set('www-authenticate', 'Bearer realm="petstore", error="invalid_token"');
      }
    }),
  },
  {
    defect: 'key checked last',
    foundBy: 'A request without a key returns 401 before a bad query is looked at',
    breaks: keyLast,
  },
  {
    defect: 'HTML 404',
    foundBy: 'An unknown path returns 404',
    breaks: changesResponse((response) => {
      if (!response.text.includes('path_not_found')) return;
      response.headers.set('content-type', 'text/html; charset=utf-8');
      response.text = '<!DOCTYPE html><pre>Cannot GET /no-such-path</pre>';
    }),
  },
  {
    defect: 'errors as a list',
    foundBy: 'Every error response has a JSON object as its body',
    breaks: changesError(/^\{/, (text) => `[${text}]`),
  },
  {
    defect: 'status member not equal to the HTTP status',
    foundBy: 'The status of an Error is the HTTP status',
    breaks: changesError(/method_not_allowed/, (text) => text.replace('405', '404')),
  },
  {
    defect: 'error code in capitals',
    foundBy: 'The code of an Error is in snake_case',
    breaks: changesError(/pet_not_found/, (text) => text.replace('pet_not_found', 'NOT_FOUND')),
  },
  {
    defect: 'empty message',
    foundBy: 'The message of an Error is text',
    breaks: changesError(/path_not_found/, (text) => text.replace(/"message":"[^"]*"/, '"message":""')),
  },
  {
    defect: 'Allow missing',
    foundBy: 'PUT /pets returns 405 with the methods in Allow',
    breaks: changesHeader('Allow'),
  },
  {
    defect: 'pets can be removed',
    foundBy: 'DELETE of a pet returns 405',
    breaks: accepts((_response, { method }) => method === 'DELETE'),
  },
  {
    defect: 'trailing slashes and capitals forgiven',
    foundBy: 'A trailing slash returns 404',
    breaks: changesRequest(({ url }) => {
      url.pathname = url.pathname.toLowerCase().replace(/\/$/, '');
    }),
  },
  {
    defect: 'anything under a pet taken for the pet',
    foundBy: 'A path below a pet returns 404',
    breaks: accepts(({ status }, { url }) => status === 404 && url.pathname.split('/').length > 4),
  },
  {
    defect: '405 for an unknown method',
    foundBy: 'A valid method that no service knows returns 501',
    breaks: changesRequest((request) => {
      if (request.method === 'BREW') request.method = 'PUT';
    }),
  },
  {
    defect: 'paths that are percent-decoded',
    foundBy: 'A path with a percent-encoded letter returns 404',
    breaks: changesRequest(({ url }) => {
      url.pathname = url.pathname.replace('%65', 'e');
    }),
  },
  {
    defect: 'store orders implemented',
    foundBy: 'The listing of store orders, which is not described, returns 404',
    breaks: accepts((_response, { url }) => url.pathname.endsWith('/store/orders')),
  },
  {
    defect: 'X-Request-Id missing on errors',
    foundBy: 'Every response has an X-Request-Id of its own',
    breaks: changesResponse(({ status, headers }) => {
      if (status >= 400) headers.delete('x-request-id');
    }),
  },
  {
    defect: 'X-Request-Id of the caller not taken over',
    foundBy: 'The service keeps a well-formed X-Request-Id of the request',
    breaks: changesRequest(({ headers }) => headers.delete('x-request-id')),
  },
  {
    defect: 'any X-Request-Id taken over',
    foundBy: 'The service replaces an X-Request-Id that is not well-formed',
    breaks: changesResponse((response, { headers }) => {
      const id = headers.get('x-request-id');
      if (id !== null) response.headers.set('x-request-id', id);
    }),
  },
  {
    defect: 'probes and documentation behind the key',
    foundBy: '/livez beside the version prefix needs no key',
    breaks: changesResponse((response, { url }) => {
      if (!url.pathname.startsWith('/v1')) response.status = 401;
    }),
  },
  {
    defect: 'description of version 2 with a stability marking and without the deprecation',
    foundBy: '/openapi.json beside the version prefix has the version of the prefix',
    breaks: changesResponse((response, { url }) => {
      if (url.pathname !== '/openapi.json') return;
      response.text = response.text
        .replace('"1.0.0"', '"2.0.0"')
        .replace('"deprecated":true', '"x-stability":"beta"');
    }),
  },
];
