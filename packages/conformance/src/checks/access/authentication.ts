import { type Check, check, readOnlyCheck } from '../../check.ts';
import { expectError, expectHeader, expectStatus, type RawResponse } from '../../http/response.ts';
import { type SendOptions, send } from '../../http/send.ts';
import { fillIn, operations, otherMethodsOf } from '../../operations.ts';
import type { Target } from '../../target.ts';

const CHALLENGE = 'Bearer realm="petstore"';
const MISSING = 'decision: 401';
const FIRST = 'decision: which check comes first';

const wrongKeys = ({ apiKey }: Target) => ['no-such-key', `${apiKey}x`];

const sendWith = (target: Target, authorization: string | null) =>
  send(target, 'GET', '/pets?limit=1', { authorization });

function expectMissing(response: RawResponse): void {
  expectError(response, 401, 'missing_api_key');
  expectHeader(response, 'WWW-Authenticate', CHALLENGE);
}

/** For each operation a request that has no other fault, since the interface document does not rank faults. */
const requests = operations.flatMap(({ name, method, template, body }): Check[] => {
  const define = method === 'GET' ? readOnlyCheck : check;
  const sendTo = (target: Target, authorization: string | null) =>
    send(target, method, fillIn(template, '1'), { authorization, json: body });
  return [
    define(
      `${name} without a key returns 401 with an Error body`,
      'interface: Authentication 1 and 3',
      async (target) => expectError(await sendTo(target, null), 401),
    ),
    define(
      `${name} with a wrong key returns 401 with an Error body`,
      'interface: Authentication 1 and 3',
      async (target) => {
        for (const key of wrongKeys(target)) expectError(await sendTo(target, `Bearer ${key}`), 401);
      },
    ),
  ];
});

/** Requests that have another fault than the missing key. */
const faulty: Record<string, [method: string, path: string, options?: SendOptions]> = {
  'a bad query': ['GET', '/pets?limit=0'],
  'a petId that is no int64': ['GET', '/pets/abc'],
  'a malformed body': ['POST', '/pets', { body: '{' }],
  'an invalid body': ['POST', '/pets', { json: {} }],
  'another media type': ['POST', '/pets', { body: 'name=x', headers: { 'content-type': 'text/plain' } }],
  'an unknown path': ['GET', '/no-such-path'],
  'a wrong method': [otherMethodsOf('/pets')[0] ?? 'PUT', '/pets'],
};

export const authentication: Check[] = [
  readOnlyCheck(
    'A request with the API key as a bearer token returns 200',
    'interface: Authentication 2',
    async (target) => expectStatus(await sendWith(target, `Bearer ${target.apiKey}`), 200),
  ),
  ...requests,
  readOnlyCheck(
    'The scheme Bearer without a key returns 401',
    'interface: Authentication 3',
    async (target) => expectError(await sendWith(target, 'Bearer'), 401),
  ),
  readOnlyCheck('The scheme Bearer is accepted in any case', 'RFC 9110 section 11.1', async (target) =>
    expectStatus(await sendWith(target, `bearer ${target.apiKey}`), 200),
  ),
  readOnlyCheck(
    'A request without a key returns missing_api_key and a Bearer challenge',
    MISSING,
    async (target) => expectMissing(await sendWith(target, null)),
  ),
  readOnlyCheck('An empty Authorization header returns missing_api_key', MISSING, async (target) =>
    expectMissing(await sendWith(target, '')),
  ),
  readOnlyCheck(
    'Another scheme than Bearer returns missing_api_key',
    `${MISSING}; RFC 6750 section 3.1`,
    async (target) => expectMissing(await sendWith(target, 'Basic cGV0OnN0b3Jl')),
  ),
  readOnlyCheck(
    'A wrong key returns invalid_api_key and the challenge invalid_token',
    MISSING,
    async (target) => {
      for (const key of wrongKeys(target)) {
        const response = await sendWith(target, `Bearer ${key}`);
        expectError(response, 401, 'invalid_api_key');
        expectHeader(response, 'WWW-Authenticate', `${CHALLENGE}, error="invalid_token"`);
      }
    },
  ),
  ...Object.entries(faulty).map(([what, [method, path, options]]) =>
    readOnlyCheck(`A request without a key returns 401 before ${what} is looked at`, FIRST, async (target) =>
      expectError(
        await send(target, method, path, { ...options, authorization: null }),
        401,
        'missing_api_key',
      ),
    ),
  ),
];

function sendWithReadKey(target: Target, method: string, path: string) {
  const { readApiKey } = target;
  if (readApiKey === undefined) throw new TypeError('The target must have a readApiKey');
  return send(target, method, path, { authorization: `Bearer ${readApiKey}` });
}

/** Checks that need a target with a key that may only read. */
export const scopeChecks: readonly Check[] = [
  readOnlyCheck(
    'listPets with a key that may only read returns 200',
    'decision: scope of an API key',
    async (target) => expectStatus(await sendWithReadKey(target, 'GET', '/pets?limit=1'), 200),
  ),
  // Without a body, from which no deployment can make a pet.
  readOnlyCheck(
    'createPet with a key that may only read returns 403 and the challenge insufficient_scope',
    'decision: scope of an API key; RFC 6750 section 3.1',
    async (target) => {
      const response = await sendWithReadKey(target, 'POST', '/pets');
      expectError(response, 403, 'insufficient_scope');
      expectHeader(response, 'WWW-Authenticate', `${CHALLENGE}, error="insufficient_scope", scope="write"`);
    },
  ),
];
