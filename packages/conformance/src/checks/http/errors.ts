import type { Check } from '../../check.ts';
import { expectErrorBody } from '../../http/error-response.ts';
import { expect } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import type { Target } from '../../target.ts';

/** One error response for each status that a request can cause without changing the store. */
async function* everyError(target: Target) {
  yield await send(target, 'GET', '/pets', { authorization: null });
  yield await send(target, 'GET', '/pets?limit=0');
  yield await send(target, 'GET', '/pets/abc');
  yield await send(target, 'GET', '/no-such-path');
  yield await send(target, 'PUT', '/pets');
}

export const errors: Check[] = [
  {
    name: 'Every error response has an Error body, also beside the operations',
    cites: 'decision: form of an error',
    readOnly: true,
    run: async (target) => {
      for await (const response of everyError(target)) expectErrorBody(response);
    },
  },
  {
    name: 'The code of an Error is in snake_case',
    cites: 'decision: values of code',
    readOnly: true,
    run: async (target) => {
      for await (const response of everyError(target)) {
        const { code } = expectErrorBody(response);
        expect(response, /^[a-z]+(?:_[a-z]+)*$/.test(code), 'a code in snake_case', code);
      }
    },
  },
];
