import type { Check } from '../../check.ts';
import { expect } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import { fetchPage, type Page, paginate } from '../../pages.ts';
import { addPet, fillTo, petsOf } from '../../pets.ts';

export const pagination: Check[] = [
  {
    name: 'A page that is not the last links to the next',
    cites: 'decision: pagination (RFC 8288)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 2);
      const { response, next } = await fetchPage(target, '/pets?limit=1');
      expect(
        response,
        next !== undefined,
        'a Link with rel="next" at this origin, since there are more pets',
      );
      expect(response, new URL(next).searchParams.has('cursor'), 'a cursor in the next link', next);
    },
  },
  {
    name: 'The last page has no next link',
    cites: 'decision: pagination',
    readOnly: false,
    run: async (target) => {
      await addPet(target);
      let last: Page | undefined;
      for await (const page of paginate(target, '/pets?limit=100')) last = page;
      if (last) expect(last.response, last.next === undefined, 'next links that come to an end', last.next);
    },
  },
  {
    name: 'Pets are listed in ascending order of their ids',
    cites: 'decision: pagination (ordered by id)',
    readOnly: true,
    run: async (target) => {
      let last: Page['pets'][number] | undefined;
      const first = await fetchPage(target, '/pets?limit=5');
      const second = first.next === undefined ? [] : [await fetchPage(target, first.next)];
      for (const { response, pets } of [first, ...second]) {
        for (const pet of pets) {
          const isAscending = last === undefined || last.id < pet.id;
          expect(response, isAscending, 'ids in ascending order', `${pet.id} after ${last?.id}`);
          last = pet;
        }
      }
    },
  },
  {
    name: 'The next link keeps the limit',
    cites: 'decision: pagination',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 5);
      const { response, next } = await fetchPage(target, '/pets?limit=2');
      expect(response, next !== undefined, 'a next link, since there are more pets');
      const second = await fetchPage(target, next);
      expect(second.response, second.pets.length === 2, '2 pets on the second page', second.pets.length);
    },
  },
  {
    name: 'Links do not contain a host that the request names',
    cites: 'decision: pagination (never made from the Host field)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 2);
      const headers = { 'X-Forwarded-Host': 'elsewhere.example', Forwarded: 'host=elsewhere.example' };
      const response = await send(target, 'GET', '/pets?limit=1', { headers });
      petsOf(response);
      const link = response.headers.get('link') ?? '';
      expect(response, !link.includes('elsewhere.example'), 'no host that the request names', link);
    },
  },
];
