import { type Check, checks, each, readOnlyChecks } from '../../check.ts';
import { expect, expectError, expectHeader, expectStatus, type RawResponse } from '../../http/response.ts';
import { type SendOptions, send } from '../../http/send.ts';
import { fillIn, NO_ID, operations, otherMethodsOf } from '../../operations.ts';
import { expectCount } from '../../pages.ts';
import { uniquePet } from '../../pets.ts';
import type { Target } from '../../target.ts';

const CHALLENGE = 'Bearer realm="petstore"';

const wrongKeys = ({ apiKey }: Target) => ['no-such-key', `${apiKey}x`];

const sendWith = (target: Target, authorization: string | null) =>
  send(target, 'GET', '/pets?limit=1', { authorization });

function expectMissing(response: RawResponse): void {
  expectError(response, 401, 'missing_api_key');
  expectHeader(response, 'WWW-Authenticate', CHALLENGE);
}

/** The requests have no other fault, because the interface document does not rank faults. */
const checksOf = ({ name, method, template, body }: (typeof operations)[number]): Check[] => {
  // A deployment that accepts any key must not lose a pet.
  const path = fillIn(template, method === 'GET' ? '1' : NO_ID);
  const refuse = async (target: Target, authorization: string | null) =>
    expectError(await send(target, method, path, { authorization, json: body }), 401);
  return (method === 'GET' ? readOnlyChecks : checks)('interface: Authentication 1 and 3', {
    [`${name} without a key returns 401 with an Error body`]: (target) => refuse(target, null),
    [`${name} with a wrong key returns 401 with an Error body`]: async (target) => {
      for (const key of wrongKeys(target)) await refuse(target, `Bearer ${key}`);
    },
  });
};

/** Requests with another fault beside the missing key. */
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
  ...readOnlyChecks('interface: Authentication 2', {
    'A request with the API key as a bearer token returns 200': async (target) =>
      expectStatus(await sendWith(target, `Bearer ${target.apiKey}`), 200),
  }),
  ...operations.flatMap(checksOf),
  ...readOnlyChecks('interface: Authentication 3', {
    'The scheme Bearer without a key returns 401': async (target) =>
      expectError(await sendWith(target, 'Bearer'), 401),
  }),
  ...readOnlyChecks('RFC 9110 section 11.1', {
    'The scheme Bearer is accepted in any case': async (target) =>
      expectStatus(await sendWith(target, `bearer ${target.apiKey}`), 200),
  }),
  ...readOnlyChecks('decision: 401', {
    'A request without a key returns missing_api_key and a Bearer challenge': async (target) =>
      expectMissing(await sendWith(target, null)),
    'An empty Authorization header returns missing_api_key': async (target) =>
      expectMissing(await sendWith(target, '')),
    'Another scheme than Bearer returns missing_api_key': async (target) =>
      expectMissing(await sendWith(target, 'Basic cGV0OnN0b3Jl')),
    'A wrong key returns invalid_api_key and the challenge invalid_token': async (target) => {
      for (const key of wrongKeys(target)) {
        const response = await sendWith(target, `Bearer ${key}`);
        expectError(response, 401, 'invalid_api_key');
        expectHeader(response, 'WWW-Authenticate', `${CHALLENGE}, error="invalid_token"`);
      }
    },
  }),
  ...readOnlyChecks('decision: which check comes first', {
    ...each(
      'A request without a key returns 401 before … is looked at',
      faulty,
      async (target, [method, path, options]) => {
        const response = await send(target, method, path, { ...options, authorization: null });
        expectError(response, 401, 'missing_api_key');
      },
    ),
    'A request without a key returns 401 before its body has arrived': async (target) => {
      const start = performance.now();
      const options = { authorization: null, body: '{"name":"', pause: 3 };
      const response = await send(target, 'POST', '/pets', options);
      expectError(response, 401, 'missing_api_key');
      expect(response, performance.now() - start < 2_000, 'a response before the body has arrived');
    },
  }),
];

function sendWithReadKey(target: Target, method: string, path: string, json?: unknown) {
  const { readApiKey } = target;
  if (readApiKey === undefined) throw new TypeError('The target must have a readApiKey');
  return send(target, method, path, { authorization: `Bearer ${readApiKey}`, json });
}

const writing = operations.filter(({ scope }) => scope === 'write');

/** Checks that need a `readApiKey`. */
export const scopeChecks: readonly Check[] = [
  ...checks('decision: scope of an API key', {
    'createPet with a key that may only read leaves no pet behind': async (target) => {
      const pet = uniquePet();
      expectStatus(await sendWithReadKey(target, 'POST', '/pets', pet), 403);
      await expectCount(target, pet, 0);
    },
  }),
  ...readOnlyChecks('decision: scope of an API key', {
    'listPets with a key that may only read returns 200': async (target) =>
      expectStatus(await sendWithReadKey(target, 'GET', '/pets?limit=1'), 200),
    ...each(
      '… with a key that may only read returns 403 and the challenge insufficient_scope',
      Object.fromEntries(writing.map((operation) => [operation.name, operation])),
      async (target, { method, template }) => {
        // Without a body and with an id that no pet has, so that a faulty deployment changes nothing.
        const response = await sendWithReadKey(target, method, fillIn(template, NO_ID));
        expectError(response, 403, 'insufficient_scope');
        expectHeader(response, 'WWW-Authenticate', `${CHALLENGE}, error="insufficient_scope", scope="write"`);
      },
    ),
  }),
];
