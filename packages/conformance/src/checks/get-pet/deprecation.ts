import { getPetDeprecation } from '@petstore/contract';
import { findLink } from '@petstore/contract/link';
import type { Check } from '../../check.ts';
import { expect, expectHeader, expectStatus, type RawResponse } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import { addPet, unusedId } from '../../pets.ts';
import type { Target } from '../../target.ts';

const responses: { what: string; readOnly: boolean; ask(target: Target): Promise<RawResponse> }[] = [
  {
    what: 'a 200',
    readOnly: false,
    ask: async (target) => {
      const response = await send(target, 'GET', `/pets/${(await addPet(target)).id}`);
      expectStatus(response, 200);
      return response;
    },
  },
  {
    what: 'a 304',
    readOnly: false,
    ask: async (target) => {
      const path = `/pets/${(await addPet(target)).id}`;
      const etag = (await send(target, 'GET', path)).headers.get('etag') ?? '';
      const headers = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
      const response = await send(target, 'GET', path, { headers });
      expectStatus(response, 304);
      return response;
    },
  },
  {
    what: 'a 401',
    readOnly: true,
    ask: async (target) => {
      const response = await send(target, 'GET', '/pets/1', { authorization: null });
      expectStatus(response, 401);
      return response;
    },
  },
  {
    what: 'a 404',
    readOnly: true,
    ask: async (target) => {
      const response = await send(target, 'GET', `/pets/${unusedId()}`);
      expectStatus(response, 404);
      return response;
    },
  },
];

function expectLink(response: RawResponse, rel: string, fits: (url: string) => boolean = () => true): void {
  const link = findLink(response.headers.get('link'), rel);
  expect(
    response,
    link !== undefined && fits(new URL(link, response.url).pathname),
    `a Link with rel="${rel}"`,
  );
}

export const deprecation: Check[] = [
  ...responses.flatMap(({ what, readOnly, ask }): Check[] => [
    {
      name: `getPet announces its deprecation in ${what}`,
      cites: "decision: getPet's deprecation; RFC 9745",
      readOnly,
      run: async (target) => {
        const response = await ask(target);
        expectHeader(response, 'Deprecation', `@${getPetDeprecation.since.getTime() / 1000}`);
        expectLink(response, 'deprecation');
      },
    },
    {
      name: `getPet announces its removal on 5 December 2030 in ${what}`,
      cites: "decision: getPet's deprecation; RFC 8594",
      readOnly,
      run: async (target) => expectHeader(await ask(target), 'Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'),
    },
    {
      name: `getPet links to GET /pets as its successor in ${what}`,
      cites: "decision: getPet's deprecation",
      readOnly,
      run: async (target) =>
        expectLink(await ask(target), 'successor-version', (path) => path.endsWith('/pets')),
    },
  ]),
  {
    name: 'listPets is not deprecated',
    cites: "decision: getPet's deprecation",
    readOnly: true,
    run: async (target) => {
      for (const path of ['/pets', '/pets?limit=0']) {
        const response = await send(target, 'GET', path);
        expectHeader(response, 'Sunset', null);
        expectHeader(response, 'Deprecation', null);
      }
    },
  },
];
