import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { type SendOptions, send } from '../../http/send.ts';

/** Requests that have another fault than the missing key. */
const wrongs: { what: string; method: string; path: string; options?: SendOptions }[] = [
  { what: 'a bad query', method: 'GET', path: '/pets?limit=0' },
  { what: 'a petId that is no int64', method: 'GET', path: '/pets/abc' },
  { what: 'a malformed body', method: 'POST', path: '/pets', options: { body: '{' } },
  { what: 'an invalid body', method: 'POST', path: '/pets', options: { json: {} } },
  {
    what: 'another media type',
    method: 'POST',
    path: '/pets',
    options: { body: 'name=x', headers: { 'content-type': 'text/plain' } },
  },
  { what: 'an unknown path', method: 'GET', path: '/no-such-path' },
  { what: 'a wrong method', method: 'PUT', path: '/pets' },
];

export const keyFirst: Check[] = [
  ...wrongs.map(
    ({ what, method, path, options }): Check => ({
      name: `A request without a key returns 401 before ${what} is looked at`,
      cites: 'decision: which check comes first',
      readOnly: true,
      run: async (target) => {
        const response = await send(target, method, path, { ...options, authorization: null });
        expectError(response, 401, 'missing_api_key');
      },
    }),
  ),
  {
    name: 'A request without a key returns 401 before its body has arrived',
    cites: 'decision: which check comes first',
    readOnly: true,
    run: async (target) => {
      const options = { authorization: null, body: '{"name":"', isStalled: true, timeLimit: 2_000 };
      expectError(await send(target, 'POST', '/pets', options), 401, 'missing_api_key');
    },
  },
];
