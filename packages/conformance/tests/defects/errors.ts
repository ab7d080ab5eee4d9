import { accepts, changesHeader, changesRequest, changesResponse, type Defect } from './defect.ts';

/** Errors with this status have another body. */
function changesError(condition: RegExp, text: (text: string) => string): Defect['breaks'] {
  return changesResponse((response) => {
    if (response.status >= 400 && condition.test(response.text)) response.text = text(response.text);
  });
}

export const errorsDefects: Defect[] = [
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
    foundBy: 'Every error response has an Error body, also beside the operations',
    breaks: changesError(/^\{/, (text) => `[${text}]`),
  },
  {
    defect: 'status member not equal to the HTTP status',
    foundBy: 'Every error response has an Error body, also beside the operations',
    breaks: changesError(/method_not_allowed/, (text) => text.replace('405', '404')),
  },
  {
    defect: 'error code in capitals',
    foundBy: 'The code of an Error is in snake_case',
    breaks: changesError(/pet_not_found/, (text) => text.replace('pet_not_found', 'NOT_FOUND')),
  },
  {
    defect: 'empty message',
    foundBy: 'Every error response has an Error body, also beside the operations',
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
