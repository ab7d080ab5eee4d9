import { getPetDeprecation } from '@petstore/contract';
import { findLink } from '@petstore/contract/link';
import { addPet, unusedId } from '../animals.ts';
import { type Answer, expect, expectHeader, expectStatus } from '../answer.ts';
import type { Check } from '../check.ts';
import { send } from '../send.ts';
import type { Target } from '../target.ts';

const answers: { what: string; readOnly: boolean; ask(target: Target): Promise<Answer> }[] = [
  {
    what: 'a 200',
    readOnly: false,
    ask: async (target) => {
      const answer = await send(target, 'GET', `/pets/${(await addPet(target)).id}`);
      expectStatus(answer, 200);
      return answer;
    },
  },
  {
    what: 'a 304',
    readOnly: false,
    ask: async (target) => {
      const path = `/pets/${(await addPet(target)).id}`;
      const etag = (await send(target, 'GET', path)).headers.get('etag') ?? '';
      const headers = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
      const answer = await send(target, 'GET', path, { headers });
      expectStatus(answer, 304);
      return answer;
    },
  },
  {
    what: 'a 404',
    readOnly: true,
    ask: async (target) => {
      const answer = await send(target, 'GET', `/pets/${unusedId()}`);
      expectStatus(answer, 404);
      return answer;
    },
  },
];

function expectLink(answer: Answer, rel: string, fits: (url: string) => boolean = () => true): void {
  const link = findLink(answer.headers.get('link'), rel);
  expect(answer, link !== undefined && fits(new URL(link, answer.url).pathname), `a Link with rel="${rel}"`);
}

export const deprecation: Check[] = [
  ...answers.flatMap(({ what, readOnly, ask }): Check[] => [
    {
      name: `getPet says that it is deprecated, on ${what}`,
      cites: 'interface: getPet (deprecated); RFC 9745',
      readOnly,
      run: async (target) => {
        const answer = await ask(target);
        expectHeader(answer, 'Deprecation', `@${getPetDeprecation.since.getTime() / 1000}`);
        expectLink(answer, 'deprecation');
      },
    },
    {
      name: `getPet says that it goes on 5 December 2030, on ${what}`,
      cites: 'interface: Versioning; RFC 8594',
      readOnly,
      run: async (target) => expectHeader(await ask(target), 'Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'),
    },
    {
      name: `getPet names GET /pets as its replacement, on ${what}`,
      cites: 'interface: getPet (replacement)',
      readOnly,
      run: async (target) =>
        expectLink(await ask(target), 'successor-version', (path) => path.endsWith('/pets')),
    },
  ]),
  {
    name: 'listPets is not deprecated',
    cites: 'interface: Versioning',
    readOnly: true,
    run: async (target) => {
      for (const path of ['/pets', '/pets?limit=0']) {
        const answer = await send(target, 'GET', path);
        expectHeader(answer, 'Sunset', null);
        expectHeader(answer, 'Deprecation', null);
      }
    },
  },
];
