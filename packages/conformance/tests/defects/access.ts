import type { Fetch } from '../../src/target.ts';
import { API_KEY, READ_API_KEY } from '../reference.ts';
import { changesHeader, changesRequest, changesResponse, type Defect } from './defect.ts';

const readsBodyFirst = (reference: Fetch): Fetch => {
  return async (url, init) => {
    const body = init.body ? await new Response(init.body).arrayBuffer() : null;
    return reference(url, { ...init, body });
  };
};

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

export const accessDefects: Defect[] = [
  {
    defect: 'key not checked',
    foundBy: 'listPets without a key returns 401 with an Error body',
    breaks: changesRequest(({ headers }) => headers.set('authorization', `Bearer ${API_KEY}`)),
  },
  {
    defect: 'any key accepted',
    foundBy: 'createPet with a wrong key returns 401 with an Error body',
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
    foundBy: 'A request beyond the limit returns 429 with the seconds to wait in Retry-After',
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
];
