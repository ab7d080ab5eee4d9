import type { Check } from '../../check.ts';
import { assert } from '../../conformance-error.ts';
import { expect } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import { fetchPage, findPage, paginate } from '../../pages.ts';
import { addPet, fillTo, petsOf } from '../../pets.ts';

export const pagination: Check[] = [
  {
    name: 'A page that is not the last links to the next',
    cites: 'decision: pagination (RFC 8288)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 2);
      const { response, next } = await fetchPage(target, '/pets?limit=1');
      expect(response, next !== undefined, 'a Link with rel="next", since there are more pets');
      expect(response, new URL(next).searchParams.has('cursor'), `a cursor in the next link ${next}`);
    },
  },
  {
    name: 'The last page has no next link',
    cites: 'decision: pagination',
    readOnly: false,
    run: async (target) => {
      const pet = await addPet(target);
      const { response } = await findPage(target, [pet]);
      let last = false;
      for await (const page of paginate(target, response.url)) last = page.next === undefined;
      assert(last, 'expected a last page without a next link');
    },
  },
  {
    name: 'Pets are listed in ascending order of their ids',
    cites: 'decision: pagination (ordered by id)',
    readOnly: true,
    run: async (target) => {
      const first = await fetchPage(target, '/pets?limit=5');
      const second = first.next === undefined ? undefined : await fetchPage(target, first.next);
      const ids = [first, second].flatMap((page) => page?.pets.map(({ id }) => id) ?? []);
      const ascending = ids.every((id, index) => index === 0 || (ids[index - 1] ?? id) < id);
      assert(ascending, `expected ids in ascending order, but they were ${ids.join(', ')}`);
    },
  },
  {
    name: 'The next link keeps the limit',
    cites: 'decision: pagination',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 5);
      const { next } = await fetchPage(target, '/pets?limit=2');
      assert(next !== undefined, 'expected a next link, since there are more pets');
      const { response, pets } = await fetchPage(target, next);
      expect(response, pets.length === 2, '2 pets on the second page');
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
      expect(response, !link.includes('elsewhere.example'), `no host that the request names in ${link}`);
    },
  },
];
