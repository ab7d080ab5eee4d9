import { responseHeaders } from '@petstore/contract';
import { addPet, fillTo } from '../animals.ts';
import { type Answer, expect, expectHeader, expectStatus } from '../answer.ts';
import type { Check } from '../check.ts';
import { type SendOptions, send } from '../send.ts';
import type { Target } from '../target.ts';

/** The fields that a GET and a HEAD must have alike; each answer has a request id of its own. */
const fields = ['Content-Type', 'Allow', ...Object.keys(responseHeaders)].filter(
  (name) => name !== 'X-Request-Id',
);

/** @throws Nonconformity unless HEAD gives what GET gives, without the body */
async function expectAlike(target: Target, path: string, options?: SendOptions): Promise<Answer> {
  const get = await send(target, 'GET', path, options);
  const head = await send(target, 'HEAD', path, options);
  expectStatus(head, get.status);
  expect(head, head.text === '', 'no body');
  for (const name of fields) expectHeader(head, name, get.headers.get(name));
  // A HEAD may leave out what is only known when a body is made (RFC 9110, section 9.3.2).
  const length = head.headers.get('content-length');
  if (length !== null && get.headers.has('content-length')) {
    expectHeader(head, 'Content-Length', get.headers.get('content-length'));
  }
  return get;
}

export const head: Check[] = [
  {
    name: 'HEAD gives the status and header fields of listPets without the body',
    cites: 'decision: conditional requests (HEAD works); RFC 9110 section 9.3.2',
    readOnly: false,
    run: async (target) => {
      // Of two and more animals the first is the first for good, so that this page stays as it is.
      await fillTo(target, 2);
      expectStatus(await expectAlike(target, '/pets?limit=1'), 200);
    },
  },
  {
    name: 'HEAD gives the status and header fields of getPet without the body',
    cites: 'decision: conditional requests (HEAD works); RFC 9110 section 9.3.2',
    readOnly: false,
    run: async (target) => {
      expectStatus(await expectAlike(target, `/pets/${(await addPet(target)).id}`), 200);
    },
  },
  {
    name: 'HEAD gives the status and header fields of a refusal without the body',
    cites: 'decision: conditional requests (HEAD works); RFC 9110 section 9.3.2',
    readOnly: true,
    run: async (target) => {
      expectStatus(await expectAlike(target, '/pets?limit=0'), 400);
      expectStatus(await expectAlike(target, '/pets/abc'), 404);
      expectStatus(await expectAlike(target, '/no-such-path'), 404);
      expectStatus(await expectAlike(target, '/pets', { authorization: null }), 401);
    },
  },
];
