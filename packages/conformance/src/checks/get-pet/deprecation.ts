import { getPetDeprecation } from '@petstore/contract';
import { findLink } from '@petstore/contract/link';
import { type Check, check, readOnlyCheck } from '../../check.ts';
import { expect, expectHeader, expectStatus, type RawResponse } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { addPet, unusedId } from '../../pets.ts';
import type { Target } from '../../target.ts';

const DEPRECATION = "decision: getPet's deprecation";
const { since, sunset, successor } = getPetDeprecation;
const removal = sunset.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const responses: [status: number, define: typeof check, ask: (target: Target) => Promise<RawResponse>][] = [
  [200, check, async (target) => send(target, 'GET', `/pets/${(await addPet(target)).id}`)],
  [
    304,
    check,
    async (target) => {
      const path = `/pets/${(await addPet(target)).id}`;
      const etag = (await send(target, 'GET', path)).headers.get('etag') ?? '';
      return send(target, 'GET', path, { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } });
    },
  ],
  [401, readOnlyCheck, (target) => send(target, 'GET', '/pets/1', { authorization: null })],
  [404, readOnlyCheck, (target) => send(target, 'GET', `/pets/${unusedId()}`)],
];

function expectLink(response: RawResponse, rel: string, path = ''): void {
  const link = findLink(response.headers.get('link'), rel);
  const fits = link !== undefined && new URL(link, response.url).pathname.endsWith(path);
  expect(response, fits, `a Link with rel="${rel}"`);
}

export const deprecation: Check[] = [
  ...responses.flatMap(([status, define, ask]) => {
    const inResponse = (what: string, cites: string, expectIn: (response: RawResponse) => void) =>
      define(`getPet ${what} in a ${status}`, cites, async (target) =>
        expectIn(expectStatus(await ask(target), status)),
      );
    return [
      inResponse('announces its deprecation', `${DEPRECATION}; RFC 9745`, (response) => {
        expectHeader(response, 'Deprecation', `@${since.getTime() / 1000}`);
        expectLink(response, 'deprecation');
      }),
      inResponse(`announces its removal on ${removal}`, `${DEPRECATION}; RFC 8594`, (response) =>
        expectHeader(response, 'Sunset', sunset.toUTCString()),
      ),
      inResponse(`links to GET ${successor} as its successor`, DEPRECATION, (response) =>
        expectLink(response, 'successor-version', successor),
      ),
    ];
  }),
  readOnlyCheck('listPets is not deprecated', DEPRECATION, async (target) => {
    for (const path of ['/pets', '/pets?limit=0']) {
      const response = await send(target, 'GET', path);
      expectHeader(response, 'Sunset', null);
      expectHeader(response, 'Deprecation', null);
    }
  }),
];
