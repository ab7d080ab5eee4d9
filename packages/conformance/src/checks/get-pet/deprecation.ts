import { getPetDeprecation } from '@petstore/contract';
import { findLink } from '@petstore/contract/link';
import { type Check, checks, readOnlyChecks } from '../../check.ts';
import { expect, expectHeader, expectStatus, type RawResponse } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { addPet, fetchPet, unusedId } from '../../pets.ts';
import type { Target } from '../../target.ts';

const DEPRECATION = "decision: getPet's deprecation";
const { since, sunset, successor } = getPetDeprecation;
const removal = sunset.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

async function fetchNotModified(target: Target): Promise<RawResponse> {
  const path = `/pets/${(await addPet(target)).id}`;
  const etag = (await send(target, 'GET', path)).headers.get('etag') ?? '';
  return send(target, 'GET', path, { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } });
}

function expectLink(response: RawResponse, rel: string, path = ''): void {
  const link = findLink(response.headers.get('link'), rel);
  const fits = link !== undefined && new URL(link, response.url).pathname.endsWith(path);
  expect(response, fits, `a Link with rel="${rel}"`);
}

/** Checks of what getPet announces with one of its statuses. */
const checksOf = (
  define: typeof checks,
  status: number,
  ask: (target: Target) => Promise<RawResponse>,
): Check[] => [
  ...define(`${DEPRECATION}; RFC 9745`, {
    [`getPet announces its deprecation in a ${status}`]: async (target) => {
      const response = expectStatus(await ask(target), status);
      expectHeader(response, 'Deprecation', `@${since.getTime() / 1000}`);
      expectLink(response, 'deprecation');
    },
  }),
  ...define(`${DEPRECATION}; RFC 8594`, {
    [`getPet announces its removal on ${removal} in a ${status}`]: async (target) =>
      expectHeader(expectStatus(await ask(target), status), 'Sunset', sunset.toUTCString()),
  }),
  ...define(DEPRECATION, {
    [`getPet links to GET ${successor} as its successor in a ${status}`]: async (target) =>
      expectLink(expectStatus(await ask(target), status), 'successor-version', successor),
  }),
];

export const deprecation: Check[] = [
  ...checksOf(checks, 200, async (target) => (await fetchPet(target, await addPet(target))).response),
  ...checksOf(checks, 304, fetchNotModified),
  ...checksOf(readOnlyChecks, 401, (target) => send(target, 'GET', '/pets/1', { authorization: null })),
  ...checksOf(readOnlyChecks, 404, (target) => send(target, 'GET', `/pets/${unusedId()}`)),
  ...readOnlyChecks(DEPRECATION, {
    'listPets is not deprecated': async (target) => {
      for (const path of ['/pets', '/pets?limit=0']) {
        const response = await send(target, 'GET', path);
        expectHeader(response, 'Sunset', null);
        expectHeader(response, 'Deprecation', null);
      }
    },
  }),
];
