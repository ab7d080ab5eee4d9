import type { ErrorBody } from '@petstore/contract';
import { expect, jsonOf } from '../answer.ts';
import type { Check } from '../check.ts';
import { send } from '../send.ts';
import type { Target } from '../target.ts';

/** One refused request for each status that can be had without an effect. */
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
    name: 'Every error answer has a JSON object as its body',
    cites: 'interface: Errors',
    readOnly: true,
    run: async (target) => {
      for await (const answer of everyError(target)) {
        const body = jsonOf(answer);
        expect(answer, typeof body === 'object' && body !== null && !Array.isArray(body), 'an Error object');
      }
    },
  },
  {
    name: 'The code of an Error is a word in snake_case',
    cites: 'decision: values of code',
    readOnly: true,
    run: async (target) => {
      for await (const answer of everyError(target)) {
        const code = member(jsonOf(answer), 'code');
        const isWord = typeof code === 'string' && /^[a-z]+(?:_[a-z]+)*$/.test(code);
        expect(answer, isWord, `a code in snake_case rather than ${code}`);
      }
    },
  },
  {
    name: 'The message of an Error is text for a person',
    cites: 'interface: Error',
    readOnly: true,
    run: async (target) => {
      for await (const answer of everyError(target)) {
        const message = member(jsonOf(answer), 'message');
        expect(answer, typeof message === 'string' && message.trim() !== '', 'a message');
      }
    },
  },
  {
    name: 'The status of an Error is the HTTP status',
    cites: 'interface: Error',
    readOnly: true,
    run: async (target) => {
      for await (const answer of everyError(target)) {
        expect(answer, member(jsonOf(answer), 'status') === answer.status, `status ${answer.status}`);
      }
    },
  },
];
