import { responseHeaders } from '@petstore/contract';
import type { Check } from '../../check.ts';
import { expect, expectHeader, expectStatus, type RawResponse } from '../../http/raw-response.ts';
import { type SendOptions, send } from '../../http/send.ts';
import { addPet, fillTo } from '../../pets.ts';
import type { Target } from '../../target.ts';

/** The headers that GET and HEAD must have in common; each response has a request id of its own. */
const names = ['Content-Type', 'Allow', ...Object.keys(responseHeaders)].filter(
  (name) => name !== 'X-Request-Id',
);

/** @throws ConformanceError unless HEAD returns what GET returns, without the body */
async function expectAlike(target: Target, path: string, options?: SendOptions): Promise<RawResponse> {
  const get = await send(target, 'GET', path, options);
  const head = await send(target, 'HEAD', path, options);
  expectStatus(head, get.status);
  expect(head, head.text === '', 'no body');
  for (const name of names) expectHeader(head, name, get.headers.get(name));
  // A HEAD may leave out what is known only once the body is generated (RFC 9110, section 9.3.2).
  const length = head.headers.get('content-length');
  if (length !== null && get.headers.has('content-length')) {
    expectHeader(head, 'Content-Length', get.headers.get('content-length'));
  }
  return get;
}

export const head: Check[] = [
  {
    name: 'HEAD returns the status and headers of listPets without the body',
    cites: 'decision: conditional requests (HEAD works); RFC 9110 section 9.3.2',
    readOnly: false,
    run: async (target) => {
      // With two pets or more, nothing that is added changes the first page of one.
      await fillTo(target, 2);
      expectStatus(await expectAlike(target, '/pets?limit=1'), 200);
    },
  },
  {
    name: 'HEAD returns the status and headers of getPet without the body',
    cites: 'decision: conditional requests (HEAD works); RFC 9110 section 9.3.2',
    readOnly: false,
    run: async (target) => expectStatus(await expectAlike(target, `/pets/${(await addPet(target)).id}`), 200),
  },
  {
    name: 'HEAD returns the status and headers of an error without the body',
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
