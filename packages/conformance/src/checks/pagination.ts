import { addPet, addPets, fillTo, petsOf } from '../animals.ts';
import { expect } from '../answer.ts';
import type { Check } from '../check.ts';
import { assert } from '../nonconformity.ts';
import { fetchPage, findPage, walk, withParameter } from '../pages.ts';
import { send } from '../send.ts';

export const pagination: Check[] = [
  {
    name: 'A page that has more after it links to the next',
    cites: 'decision: pagination (RFC 8288)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 2);
      const { answer, next } = await fetchPage(target, '/pets?limit=1');
      expect(answer, next !== undefined, 'a Link with rel="next", since there are more animals');
      expect(answer, new URL(next).searchParams.has('cursor'), `a cursor in the next link ${next}`);
    },
  },
  {
    name: 'The last page has no next link',
    cites: 'decision: pagination',
    readOnly: false,
    run: async (target) => {
      const pet = await addPet(target);
      const { answer } = await findPage(target, [pet]);
      let last = false;
      for await (const page of walk(target, answer.url)) last = page.next === undefined;
      assert(last, 'expected the walk to come to a page without a next link');
    },
  },
  {
    name: 'Walking the pages shows each animal once, while others are added',
    cites: 'decision: stability of pages',
    readOnly: false,
    run: async (target) => {
      const pets = await addPets(target, 12, { status: 'pending' });
      const { answer } = await findPage(target, pets, '&status=pending');
      const times = new Map<unknown, number>();
      let pages = 0;
      for await (const page of walk(target, withParameter(answer.url, 'limit', '3'))) {
        for (const { id } of page.pets) times.set(id, (times.get(id) ?? 0) + 1);
        pages += 1;
        if (pages <= 5) await addPet(target, { status: 'pending' });
      }
      for (const { id } of pets)
        assert(times.has(id), `expected the animal ${id} in the walk, but it was skipped`);
      for (const [id, count] of times)
        assert(count === 1, `expected the animal ${id} once, but it came ${count} times`);
    },
  },
  {
    name: 'Animals come in the order of their ids',
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
      assert(next !== undefined, 'expected a next link, since there are more animals');
      const { answer, pets } = await fetchPage(target, next);
      expect(answer, pets.length === 2, '2 animals on the second page');
    },
  },
  {
    name: 'Links are not built from what the caller says the host is',
    cites: 'decision: pagination (never made from the Host field)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 2);
      const headers = { 'X-Forwarded-Host': 'elsewhere.example', Forwarded: 'host=elsewhere.example' };
      const answer = await send(target, 'GET', '/pets?limit=1', { headers });
      petsOf(answer);
      const link = answer.headers.get('link') ?? '';
      expect(answer, !link.includes('elsewhere.example'), `no address of the caller's making in ${link}`);
    },
  },
];
