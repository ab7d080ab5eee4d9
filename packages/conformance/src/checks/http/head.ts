import { responseHeaders } from '@petstore/contract';
import { type Check, checks, readOnlyChecks } from '../../check.ts';
import { expect, expectHeader, expectStatus } from '../../http/response.ts';
import { type SendOptions, send } from '../../http/send.ts';
import { addPet, fillTo } from '../../pets.ts';
import type { Target } from '../../target.ts';

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
  // A HEAD may leave out what is known only once the body is generated (RFC 9110, section 9.3.2).
  const length = get.headers.get('content-length');
  if (length !== null && head.headers.has('content-length')) expectHeader(head, 'Content-Length', length);
}

export const head: Check[] = [
  ...checks(HEAD, {
    'HEAD returns the status and headers of listPets without the body': async (target) => {
      // With two pets or more, nothing that is added changes the first page of one.
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
