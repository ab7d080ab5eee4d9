import type { Deprecation } from '@petstore/contract';
import { findLink } from '@petstore/contract/link';
import { type Check, checks, each, readOnlyChecks } from '../../check.ts';
import { expect, expectHeader, expectStatus, type RawResponse } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { version } from '../../interface.ts';
import { fillIn, NO_ID, operations } from '../../operations.ts';
import { addPet, fetchPet, unusedId } from '../../pets.ts';
import type { Target } from '../../target.ts';

const DEPRECATION = 'decision: deprecation';
const ANNOUNCEMENT = `${DEPRECATION}; RFC 9745; RFC 8594` as const;

const sentence = (operation: string, { sunset }: Deprecation, response: string) => {
  const removal = sunset.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return `${operation} announces its deprecation, its removal on ${removal} and its successor in ${response}`;
};

function expectAnnounced(response: RawResponse, { since, sunset, successor }: Deprecation): void {
  expectHeader(response, 'Deprecation', `@${since.getTime() / 1000}`);
  expectLink(response, 'deprecation');
  expectHeader(response, 'Sunset', sunset.toUTCString());
  expectLink(response, 'successor-version', successor);
}

function expectLink(response: RawResponse, rel: string, path = ''): void {
  const link = findLink(response.headers.get('link'), rel);
  const fits = link !== undefined && new URL(link, response.url).pathname.endsWith(path);
  expect(response, fits, `a Link with rel="${rel}"`);
}

/** A check for each deprecated operation. */
const withoutKey = operations.flatMap(({ name, method, template, deprecation }) => {
  if (deprecation === undefined) return [];
  return readOnlyChecks(ANNOUNCEMENT, {
    [sentence(name, deprecation, 'a 401')]: async (target) => {
      const response = await send(target, method, fillIn(template, NO_ID), { authorization: null });
      expectAnnounced(expectStatus(response, 401), deprecation);
    },
  });
});

const responses: Record<string, (target: Target) => Promise<RawResponse>> = {
  'a 200': async (target) => (await fetchPet(target, await addPet(target))).response,
  'a 304': async (target) => {
    const { response } = await fetchPet(target, await addPet(target));
    const headers = { 'If-None-Match': response.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' };
    return expectStatus(await send(target, 'GET', response.url, { headers }), 304);
  },
  'a 404': async (target) => expectStatus(await send(target, 'GET', `/pets/${unusedId()}`), 404),
};

const { deprecation: ofGetPet } = version.contract.pets.getPet.metadata;

export const deprecation: Check[] = [
  ...checks(
    ANNOUNCEMENT,
    each(sentence('getPet', ofGetPet, '…'), responses, async (target, request) =>
      expectAnnounced(await request(target), ofGetPet),
    ),
  ),
  ...withoutKey,
  ...readOnlyChecks(DEPRECATION, {
    'An operation that is not deprecated announces nothing': async (target) => {
      for (const { method, template } of operations.filter(({ deprecation }) => deprecation === undefined)) {
        const response = await send(target, method, fillIn(template, NO_ID), { authorization: null });
        expectHeader(response, 'Sunset', null);
        expectHeader(response, 'Deprecation', null);
      }
    },
  }),
];
