import { setTimeout as sleep } from 'node:timers/promises';
import { type Check, defineChecks } from '../check.ts';
import { expect } from '../http/response.ts';
import type { Target } from '../http/target.ts';
import type { Pet } from '../interface.ts';
import { fetchPage, findPage } from '../pets/pages.ts';
import { addPet } from '../pets/pets.ts';

// 160 pets: more than the largest page has.
export const WRITERS = 8;
export const PETS_PER_WRITER = 20;

/** Readers that differ in how often they reach the end of the listing, where pets can be skipped. */
const readers = [
  { limit: 1, filter: '&status=pending' },
  { limit: 2, filter: '' },
  { limit: 7, filter: '&status=pending' },
  { limit: 100, filter: '' },
];

/**
 * Follows the next links. Requests the last page again until it has a next link or the writers are done.
 * @returns the ids in the order of the pages, and the last page
 * @throws ConformanceError when the ids do not ascend
 */
async function follow(target: Target, first: string, isWriting: () => boolean) {
  const ids: Pet['id'][] = [];
  for (let url = first; ; ) {
    // Asked before the request, because the last write may come after the page.
    const mayGrow = isWriting();
    const page = await fetchPage(target, url);
    if (page.next === undefined && mayGrow) {
      await sleep(5);
      continue;
    }
    for (const { id } of page.pets) {
      const last = ids.at(-1);
      const ascends = last === undefined || id > last;
      expect(page.response, ascends, 'each pet once and in ascending order', `${id} after ${last}`);
      ids.push(id);
    }
    if (page.next === undefined) return { ids, last: page };
    url = page.next;
  }
}

export const concurrentPagination: Check[] = defineChecks('decision: stability of pages', {
  'A reader of all pages sees each pet once, in ascending order, while others write': async (target) => {
    // Readers start at the page of this pet: they need not read all older pets.
    const marker = await addPet(target, { name: 'Written before others', status: 'pending' });
    const starts = await Promise.all(
      readers.map(async ({ limit, filter }) => {
        const start = new URL((await findPage(target, marker, filter)).response.url);
        start.searchParams.set('limit', `${limit}`);
        return start.href;
      }),
    );
    const acknowledged = [marker.id];
    let isWriting = true;
    const writers = Array.from({ length: WRITERS }, async () => {
      for (let count = 0; count < PETS_PER_WRITER; count += 1) {
        acknowledged.push((await addPet(target, { name: 'Written meanwhile', status: 'pending' })).id);
      }
    });
    const writing = Promise.all(writers).finally(() => {
      isWriting = false;
    });
    const listings = starts.map((start) => follow(target, start, () => isWriting));
    const done = Promise.all([Promise.all(listings), writing]);
    // After a failure, too, no request may be sent during a later check.
    const [results] = await done.finally(() => Promise.allSettled([...writers, ...listings]));
    for (const { ids, last } of results) {
      expect(last.response, new Set(acknowledged).size === acknowledged.length, 'one added pet for each id');
      const seen = new Set(ids);
      const missed = acknowledged.filter((id) => !seen.has(id)).slice(0, 10);
      const expected = 'all acknowledged pets in the pages up to this one';
      expect(last.response, missed.length === 0, expected, `${seen.size}, without ${missed.join(', ')}`);
    }
  },
});
