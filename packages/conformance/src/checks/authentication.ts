import { type Check, defineChecks, defineReadOnlyChecks } from '../check.ts';
import { expect, expectError, expectStatus } from '../http/response.ts';
import { send } from '../http/send.ts';
import type { Target } from '../http/target.ts';
import { expectCount } from '../pets/pages.ts';
import { uniquePet } from '../pets/pets.ts';
import { readAuthorization, sharedSamples } from '../samples/access.ts';
import { creationSamples } from '../samples/creation.ts';
import { readingSamples } from '../samples/reading.ts';
import { oneOfEachCode, sendSample } from '../samples/sample.ts';

const sendWith = (target: Target, authorization: string | null, headers = {}) =>
  send(target, 'GET', '/pets?limit=1', { authorization, headers });

/** Checks that the error of a missing key comes before each other error. */
const keyFirst = oneOfEachCode([...readingSamples, ...sharedSamples, ...creationSamples])
  .filter(({ codes: [code] }) => code !== undefined && !code.endsWith('api_key'))
  .map(
    (sample): Check => ({
      name: `A request without a key returns 401 rather than ${sample.codes[0]}`,
      cites: 'decision: which check comes first',
      readOnly: sample.readOnly,
      run: async (target) =>
        expectError(await sendSample(target, sample, { authorization: null }), 401, 'missing_api_key'),
    }),
  );

export const authentication: Check[] = [
  ...defineReadOnlyChecks('RFC 9110 section 11.1', {
    'The scheme Bearer is accepted in any case': async (target) =>
      expectStatus(await sendWith(target, `bearer ${target.apiKey}`), 200),
  }),
  ...defineReadOnlyChecks('RFC 9110 section 5.1', {
    'The header name Authorization is accepted in lower case': async (target) =>
      expectStatus(await sendWith(target, null, { authorization: `Bearer ${target.apiKey}` }), 200),
  }),
  ...defineReadOnlyChecks('decision: 401', {
    'Authorization without the scheme Bearer, or without a key, returns missing_api_key': async (target) => {
      for (const sent of ['', 'Bearer', 'Basic cGV0OnN0b3Jl', target.apiKey, `Basic ${target.apiKey}`]) {
        expectError(await sendWith(target, sent), 401, 'missing_api_key');
      }
    },
  }),
  ...defineReadOnlyChecks('decision: which check comes first', {
    'A request without a key returns 401 before its body has arrived': async (target) => {
      const start = performance.now();
      const options = { authorization: null, body: '{"name":"', pauseSeconds: 3 };
      const response = await send(target, 'POST', '/pets', options);
      expectError(response, 401, 'missing_api_key');
      expect(response, performance.now() - start < 2_000, 'a response before the body has arrived');
    },
  }),
  ...keyFirst,
];

/** Checks that need a `readApiKey`. */
export const scopes: Check[] = [
  ...defineChecks('decision: scope of an API key', {
    'createPet with a key that may only read adds no pet': async (target) => {
      const pet = uniquePet();
      const options = { authorization: readAuthorization(target), json: pet };
      expectStatus(await send(target, 'POST', '/pets', options), 403);
      await expectCount(target, pet, 0);
    },
  }),
  ...defineReadOnlyChecks('decision: scope of an API key', {
    'listPets with a key that may only read returns 200': async (target) =>
      expectStatus(await sendWith(target, readAuthorization(target)), 200),
  }),
];
