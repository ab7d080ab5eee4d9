import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { expectHeader, expectStatus, type RawResponse } from '../../http/raw-response.ts';
import { type SendOptions, send } from '../../http/send.ts';
import { newPet } from '../../pets.ts';
import type { Target } from '../../target.ts';

const PLAIN_CHALLENGE = 'Bearer realm="petstore"';
const INVALID_TOKEN_CHALLENGE = 'Bearer realm="petstore", error="invalid_token"';

/** A request for each operation that has no other fault, since the interface document does not rank faults. */
const operations: { operation: string; method: string; path: string; options?: SendOptions }[] = [
  { operation: 'listPets', method: 'GET', path: '/pets' },
  { operation: 'createPet', method: 'POST', path: '/pets', options: { json: newPet() } },
  { operation: 'getPet', method: 'GET', path: '/pets/1' },
];

const wrongKeys = ({ apiKey }: Target) => ['no-such-key', `${apiKey}x`];

async function sendWith(target: Target, authorization: string | null): Promise<RawResponse> {
  return send(target, 'GET', '/pets?limit=1', { authorization });
}

function expectMissing(response: RawResponse): void {
  expectError(response, 401, 'missing_api_key');
  expectHeader(response, 'WWW-Authenticate', PLAIN_CHALLENGE);
}

export const authentication: Check[] = [
  {
    name: 'A request with the API key as a bearer token returns 200',
    cites: 'interface: Authentication 2',
    readOnly: true,
    run: async (target) => expectStatus(await sendWith(target, `Bearer ${target.apiKey}`), 200),
  },
  ...operations.flatMap(({ operation, method, path, options }): Check[] => [
    {
      name: `${operation} without a key returns 401 with an Error body`,
      cites: 'interface: Authentication 1 and 3',
      readOnly: method === 'GET',
      run: async (target) =>
        expectError(await send(target, method, path, { ...options, authorization: null }), 401),
    },
    {
      name: `${operation} with a wrong key returns 401 with an Error body`,
      cites: 'interface: Authentication 1 and 3',
      readOnly: method === 'GET',
      run: async (target) => {
        for (const key of wrongKeys(target)) {
          const authorization = `Bearer ${key}`;
          expectError(await send(target, method, path, { ...options, authorization }), 401);
        }
      },
    },
  ]),
  {
    name: 'The scheme Bearer without a key returns 401',
    cites: 'interface: Authentication 3',
    readOnly: true,
    run: async (target) => expectError(await sendWith(target, 'Bearer'), 401),
  },
  {
    name: 'The scheme Bearer is accepted in any case',
    cites: 'RFC 9110 section 11.1',
    readOnly: true,
    run: async (target) => expectStatus(await sendWith(target, `bearer ${target.apiKey}`), 200),
  },
  {
    name: 'A request without a key returns missing_api_key and a Bearer challenge',
    cites: 'decision: 401',
    readOnly: true,
    run: async (target) => expectMissing(await sendWith(target, null)),
  },
  {
    name: 'An empty Authorization header returns missing_api_key',
    cites: 'decision: 401',
    readOnly: true,
    run: async (target) => expectMissing(await sendWith(target, '')),
  },
  {
    name: 'Another scheme than Bearer returns missing_api_key',
    cites: 'decision: 401; RFC 6750 section 3.1',
    readOnly: true,
    run: async (target) => expectMissing(await sendWith(target, 'Basic cGV0OnN0b3Jl')),
  },
  {
    name: 'A wrong key returns invalid_api_key and the challenge invalid_token',
    cites: 'decision: 401',
    readOnly: true,
    run: async (target) => {
      for (const key of wrongKeys(target)) {
        const response = await sendWith(target, `Bearer ${key}`);
        expectError(response, 401, 'invalid_api_key');
        expectHeader(response, 'WWW-Authenticate', INVALID_TOKEN_CHALLENGE);
      }
    },
  },
];
