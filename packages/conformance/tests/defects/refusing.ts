import type { Fetch } from '../../src/target.ts';
import { API_KEY } from '../reference/server.ts';
import { accepts, type Defect, mistakesAnswer, mistakesHeader, mistakesRequest } from './breaking.ts';

const readsBodyFirst = (reference: Fetch): Fetch => {
  return async (url, init) => {
    const body = init.body ? await new Response(init.body).arrayBuffer() : null;
    return reference(url, { ...init, body });
  };
};

/** Errors with this status have another body. */
function mistakesError(condition: RegExp, text: (text: string) => string): Defect['breaks'] {
  return mistakesAnswer((answer) => {
    if (answer.status >= 400 && condition.test(answer.text)) answer.text = text(answer.text);
  });
}

/** Without a key, the answer is what it would be with one, when that is a refusal too. */
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

export const refusing: Defect[] = [
  {
    defect: 'key not checked',
    foundBy: 'listPets without a key is 401 with an Error body',
    breaks: mistakesRequest(({ headers }) => headers.set('authorization', `Bearer ${API_KEY}`)),
  },
  {
    defect: 'any key accepted',
    foundBy: 'A wrong key is an invalid token',
    breaks: mistakesRequest(({ headers }) => {
      if (headers.get('authorization')?.startsWith('Bearer'))
        headers.set('authorization', `Bearer ${API_KEY}`);
    }),
  },
  {
    defect: 'only the beginning of a key compared',
    foundBy: 'A wrong key is an invalid token',
    breaks: mistakesRequest(({ headers }) => {
      if (headers.get('authorization')?.includes(API_KEY)) headers.set('authorization', `Bearer ${API_KEY}`);
    }),
  },
  {
    defect: 'no key accepted',
    foundBy: 'The API key as a bearer token opens the service',
    breaks: mistakesRequest(({ headers, url }) => {
      if (url.search === '?limit=1') headers.set('authorization', 'Bearer x');
    }),
  },
  {
    defect: 'scheme compared in its case',
    foundBy: 'The scheme Bearer is recognised in any case',
    breaks: mistakesRequest(({ headers }) => {
      if (headers.get('authorization')?.startsWith('bearer')) headers.delete('authorization');
    }),
  },
  {
    defect: '401 without a body',
    foundBy: 'createPet without a key is 401 with an Error body',
    breaks: mistakesAnswer((answer) => {
      if (answer.status === 401) answer.text = '';
    }),
  },
  {
    defect: '403 in place of 401',
    foundBy: 'The scheme Bearer without a key is 401',
    breaks: mistakesAnswer((answer) => {
      if (answer.status === 401) answer.status = 403;
    }),
  },
  {
    defect: '401 after the body was read',
    foundBy: 'A body sent without a key is answered 401 before it is read to its end',
    breaks: readsBodyFirst,
  },
  {
    defect: 'no WWW-Authenticate',
    foundBy: 'A request without a key is challenged for one',
    breaks: mistakesHeader('WWW-Authenticate'),
  },
  {
    defect: 'a missing key called an invalid token',
    foundBy: 'Another scheme than Bearer is a missing key',
    breaks: mistakesAnswer(({ headers }) => {
      if (headers.has('www-authenticate')) {
        headers.set('www-authenticate', 'Bearer realm="petstore", error="invalid_token"');
      }
    }),
  },
  { defect: 'key checked last', foundBy: 'Without a key, a bad query is 401', breaks: keyLast },
  {
    defect: 'HTML 404',
    foundBy: 'An unknown path is 404',
    breaks: mistakesAnswer((answer) => {
      if (!answer.text.includes('path_not_found')) return;
      answer.headers.set('content-type', 'text/html; charset=utf-8');
      answer.text = '<!DOCTYPE html><pre>Cannot GET /no-such-path</pre>';
    }),
  },
  {
    defect: 'errors as a list',
    foundBy: 'Every error answer has a JSON object as its body',
    breaks: mistakesError(/^\{/, (text) => `[${text}]`),
  },
  {
    defect: 'status member not equal to the HTTP status',
    foundBy: 'The status of an Error is the HTTP status',
    breaks: mistakesError(/method_not_allowed/, (text) => text.replace('405', '404')),
  },
  {
    defect: 'error code in capitals',
    foundBy: 'The code of an Error is a word in snake_case',
    breaks: mistakesError(/pet_not_found/, (text) => text.replace('pet_not_found', 'NOT_FOUND')),
  },
  {
    defect: 'empty message',
    foundBy: 'The message of an Error is text for a person',
    breaks: mistakesError(/path_not_found/, (text) => text.replace(/"message":"[^"]*"/, '"message":""')),
  },
  {
    defect: 'Allow missing',
    foundBy: 'PUT /pets is 405 and Allow names the methods',
    breaks: mistakesHeader('Allow'),
  },
  {
    defect: 'animals can be removed',
    foundBy: 'An animal cannot be removed: DELETE is 405',
    breaks: accepts((_answer, { method }) => method === 'DELETE'),
  },
  {
    defect: 'trailing slashes and capitals forgiven',
    foundBy: 'A trailing slash is 404',
    breaks: mistakesRequest(({ url }) => {
      url.pathname = url.pathname.toLowerCase().replace(/\/$/, '');
    }),
  },
  {
    defect: 'anything under an animal taken for the animal',
    foundBy: 'A path under an animal is 404',
    breaks: accepts(({ status }, { url }) => status === 404 && url.pathname.split('/').length > 4),
  },
  {
    defect: 'store orders implemented',
    foundBy: 'The listing of store orders, which is not described, is 404',
    breaks: accepts((_answer, { url }) => url.pathname.endsWith('/store/orders')),
  },
  {
    defect: 'X-Request-Id missing on errors',
    foundBy: 'Every answer carries an X-Request-Id of its own',
    breaks: mistakesAnswer(({ status, headers }) => {
      if (status >= 400) headers.delete('x-request-id');
    }),
  },
  {
    defect: 'X-Request-Id of the caller not taken over',
    foundBy: 'A well-formed X-Request-Id of the caller is taken over',
    breaks: mistakesRequest(({ headers }) => headers.delete('x-request-id')),
  },
  {
    defect: 'any X-Request-Id taken over',
    foundBy: 'An X-Request-Id that is not well-formed is replaced',
    breaks: mistakesAnswer((answer, { headers }) => {
      const id = headers.get('x-request-id');
      if (id !== null) answer.headers.set('x-request-id', id);
    }),
  },
  {
    defect: 'probes and documentation behind the key',
    foundBy: '/livez beside the version prefix answers without a key',
    breaks: mistakesAnswer((answer, { url }) => {
      if (!url.pathname.startsWith('/v1')) answer.status = 401;
    }),
  },
  {
    defect: 'description of version 2 with a stability marking and without the deprecation',
    foundBy: '/openapi.json beside the version prefix has version 1.0.0',
    breaks: mistakesAnswer((answer, { url }) => {
      if (url.pathname !== '/openapi.json') return;
      answer.text = answer.text
        .replace('"1.0.0"', '"2.0.0"')
        .replace('"deprecated":true', '"x-stability":"beta"');
    }),
  },
];
