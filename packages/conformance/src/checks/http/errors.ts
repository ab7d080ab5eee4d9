import type { ErrorBody } from '@petstore/contract';
import type { Check } from '../../check.ts';
import { expect, jsonOf } from '../../http/raw-response.ts';
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

const member = (body: unknown, name: keyof ErrorBody): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;

export const errors: Check[] = [
  {
    name: 'Every error response has a JSON object as its body',
    cites: 'interface: Errors',
    readOnly: true,
    run: async (target) => {
      for await (const response of everyError(target)) {
        const body = jsonOf(response);
        expect(
          response,
          typeof body === 'object' && body !== null && !Array.isArray(body),
          'an Error object',
        );
      }
    },
  },
  {
    name: 'The code of an Error is in snake_case',
    cites: 'decision: values of code',
    readOnly: true,
    run: async (target) => {
      for await (const response of everyError(target)) {
        const code = member(jsonOf(response), 'code');
        const isWord = typeof code === 'string' && /^[a-z]+(?:_[a-z]+)*$/.test(code);
        expect(response, isWord, `a code in snake_case rather than ${code}`);
      }
    },
  },
  {
    name: 'The message of an Error is text',
    cites: 'interface: Error',
    readOnly: true,
    run: async (target) => {
      for await (const response of everyError(target)) {
        const message = member(jsonOf(response), 'message');
        expect(response, typeof message === 'string' && message.trim() !== '', 'a message');
      }
    },
  },
  {
    name: 'The status of an Error is the HTTP status',
    cites: 'interface: Error',
    readOnly: true,
    run: async (target) => {
      for await (const response of everyError(target)) {
        expect(response, member(jsonOf(response), 'status') === response.status, `status ${response.status}`);
      }
    },
  },
];
