import { getPetDeprecation } from '@petstore/contract';
import { findLink } from '@petstore/contract/link';
import { type Check, checks, each, readOnlyChecks } from '../../check.ts';
import { expect, expectHeader, expectStatus, type RawResponse } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { addPet, fetchPet, unusedId } from '../../pets.ts';
import type { Target } from '../../target.ts';

const DEPRECATION = "decision: getPet's deprecation";
const { since, sunset, successor } = getPetDeprecation;
const removal = sunset.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

type Ask = (target: Target) => Promise<RawResponse>;

const responses: Record<string, Ask> = {
  'a 200': async (target) => (await fetchPet(target, await addPet(target))).response,
  'a 304': async (target) => {
    const { response } = await fetchPet(target, await addPet(target));
    const headers = { 'If-None-Match': response.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' };
    return expectStatus(await send(target, 'GET', response.url, { headers }), 304);
  },
};
const readOnlyResponses: Record<string, Ask> = {
  'a 401': async (target) => expectStatus(await send(target, 'GET', '/pets/1', { authorization: null }), 401),
  'a 404': async (target) => expectStatus(await send(target, 'GET', `/pets/${unusedId()}`), 404),
};

function expectLink(response: RawResponse, rel: string, path = ''): void {
  const link = findLink(response.headers.get('link'), rel);
  const fits = link !== undefined && new URL(link, response.url).pathname.endsWith(path);
  expect(response, fits, `a Link with rel="${rel}"`);
}

const SENTENCE = `getPet announces its deprecation, its removal on ${removal} and its successor in …`;

async function expectAnnounced(target: Target, ask: Ask): Promise<void> {
  const response = await ask(target);
  expectHeader(response, 'Deprecation', `@${since.getTime() / 1000}`);
  expectLink(response, 'deprecation');
  expectHeader(response, 'Sunset', sunset.toUTCString());
  expectLink(response, 'successor-version', successor);
}

export const deprecation: Check[] = [
  ...checks(`${DEPRECATION}; RFC 9745; RFC 8594`, each(SENTENCE, responses, expectAnnounced)),
  ...readOnlyChecks(`${DEPRECATION}; RFC 9745; RFC 8594`, each(SENTENCE, readOnlyResponses, expectAnnounced)),
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
