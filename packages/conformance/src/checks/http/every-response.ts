import { responseHeaders } from '@petstore/contract';
import { type Check, checks, readOnlyChecks } from '../../check.ts';
import { expect, expectError, expectErrorBody, expectHeader, expectStatus } from '../../http/response.ts';
import { type SendOptions, send } from '../../http/send.ts';
import { otherMethodsOf } from '../../operations.ts';
import { addPet, fetchPet, fillTo, newPet, petOf, petsOf, post } from '../../pets.ts';
import type { Target } from '../../target.ts';

/** An error response for each status that a request can cause without changing the store. */
export async function* everyError(target: Target) {
  yield await send(target, 'GET', '/pets', { authorization: null });
  yield await send(target, 'GET', '/pets?limit=0');
  yield await send(target, 'GET', '/pets/abc');
  yield await send(target, 'GET', '/no-such-path');
  for (const method of otherMethodsOf('/pets').slice(0, 1)) yield await send(target, method, '/pets');
}

export const errors: Check[] = [
  ...readOnlyChecks('decision: form of an error', {
    'Every error response has an Error body, also where the path or method has no operation': async (
      target,
    ) => {
      for await (const response of everyError(target)) expectErrorBody(response);
    },
  }),
  ...readOnlyChecks('decision: values of code', {
    'The code of an Error is in snake_case': async (target) => {
      for await (const response of everyError(target)) {
        const { code } = expectErrorBody(response);
        expect(response, /^[a-z]+(?:_[a-z]+)*$/.test(code), 'a code in snake_case', code);
      }
    },
  }),
];

export const requestId: Check[] = readOnlyChecks('decision: request id', {
  'Every response has an X-Request-Id of its own': async (target) => {
    const ids = new Set<string>();
    for (const path of ['/pets', '/pets', '/pets?limit=0', '/pets/abc', '/no-such-path']) {
      for (const options of [{}, { authorization: null }]) {
        const response = await send(target, 'GET', path, options);
        const id = response.headers.get('x-request-id') ?? '';
        expect(response, id !== '', 'an X-Request-Id');
        expect(response, !ids.has(id), 'an X-Request-Id of its own', `${id} again`);
        ids.add(id);
      }
    }
  },
  'The service keeps a well-formed X-Request-Id of the request': async (target) => {
    const id = crypto.randomUUID();
    for (const path of ['/pets', '/no-such-path']) {
      const response = await send(target, 'GET', path, { headers: { 'X-Request-Id': id } });
      const given = response.headers.get('x-request-id');
      expect(response, given === id, 'the X-Request-Id of the request', given);
    }
  },
  'The service replaces an X-Request-Id that is not well-formed': async (target) => {
    for (const id of ['two words <b>', 'x'.repeat(1_000)]) {
      const response = await send(target, 'GET', '/pets', { headers: { 'X-Request-Id': id } });
      const given = response.headers.get('x-request-id') ?? '';
      expect(response, given !== '' && given !== id, 'an X-Request-Id that the service generated');
    }
  },
});

const headers = { Accept: 'text/html, application/json;q=0' };

export const accept: Check[] = [
  ...readOnlyChecks('decision: Accept', {
    'Responses are JSON also when the request does not accept it': async (target) => {
      petsOf(await send(target, 'GET', '/pets?limit=1', { headers }));
      expectError(await send(target, 'GET', '/pets?limit=0', { headers }), 400, 'invalid_parameter');
      expectError(await send(target, 'GET', '/pets', { headers, authorization: null }), 401);
    },
  }),
  ...checks('decision: Accept', {
    'createPet adds a pet also when the request does not accept JSON': async (target) =>
      fetchPet(target, petOf(await post(target, newPet(), headers), 201)),
  }),
];

const HEAD = 'decision: conditional requests (HEAD works); RFC 9110 section 9.3.2';

/** The headers that GET and HEAD must have in common; each response has a request id of its own. */
const names = ['Content-Type', 'Allow', ...Object.keys(responseHeaders)].filter(
  (name) => name !== 'X-Request-Id',
);

/** @throws ConformanceError unless GET returns the status, and HEAD the same without the body */
async function expectAlike(
  target: Target,
  path: string,
  status: number,
  options?: SendOptions,
): Promise<void> {
  const get = expectStatus(await send(target, 'GET', path, options), status);
  const head = expectStatus(await send(target, 'HEAD', path, options), status);
  expect(head, head.text === '', 'no body');
  for (const name of names) expectHeader(head, name, get.headers.get(name));
  // A HEAD may leave out headers that are known only once the body is generated (RFC 9110, section 9.3.2).
  const length = get.headers.get('content-length');
  if (length !== null && head.headers.has('content-length')) expectHeader(head, 'Content-Length', length);
}

export const head: Check[] = [
  ...checks(HEAD, {
    'HEAD returns the status and headers of listPets without the body': async (target) => {
      // Once the store has two pets, a new pet does not change the page with limit=1.
      await fillTo(target, 2);
      await expectAlike(target, '/pets?limit=1', 200);
    },
    'HEAD returns the status and headers of getPet without the body': async (target) =>
      expectAlike(target, `/pets/${(await addPet(target)).id}`, 200),
  }),
  ...readOnlyChecks(HEAD, {
    'HEAD returns the status and headers of an error without the body': async (target) => {
      await expectAlike(target, '/pets?limit=0', 400);
      await expectAlike(target, '/pets/abc', 404);
      await expectAlike(target, '/no-such-path', 404);
      await expectAlike(target, '/pets', 401, { authorization: null });
    },
  }),
];
