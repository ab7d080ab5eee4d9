import { type Check, checks } from '../../check.ts';
import { expect } from '../../http/response.ts';
import type { Pet } from '../../interface.ts';
import { fetchPage, findPet, type Page } from '../../pages.ts';
import { addPet } from '../../pets.ts';
import type { Target } from '../../target.ts';

const WRITERS = 8;
const PETS_PER_WRITER = 20;
const PAUSE_MS = 5;

/** Readers that differ in how often they reach the end of the listing, where pets can be skipped. */
const readers = [
  { limit: 1, filter: '&status=pending' },
  { limit: 2, filter: '' },
  { limit: 7, filter: '&status=pending' },
  { limit: 100, filter: '' },
];

async function write(target: Target, acknowledge: (pet: Pet) => void): Promise<void> {
  for (let count = 0; count < PETS_PER_WRITER; count += 1) {
    acknowledge(await addPet(target, { name: 'Written while others read', status: 'pending' }));
  }
}

/**
 * Follows the next links. Requests the last page again until it has a next link or the writers are done.
 * @returns the ids in the order of the pages, and the last page
 * @throws ConformanceError when the ids do not ascend
 */
async function follow(target: Target, first: string, isWriting: () => boolean) {
  const ids: Pet['id'][] = [];
  for (let url = first; ; ) {
    const isLastRead = !isWriting();
    const page: Page = await fetchPage(target, url);
    if (page.next === undefined && !isLastRead) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
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

export const concurrentPagination: Check[] = checks('decision: stability of pages', {
  'A reader of all pages sees every acknowledged pet once, in ascending order, while others write': async (
    target,
  ) => {
    const marker = await addPet(target, { name: 'Written before others', status: 'pending' });
    const starts = await Promise.all(
      readers.map(async ({ limit, filter }) => {
        const start = new URL((await findPet(target, marker, filter)).page.response.url);
        start.searchParams.set('limit', `${limit}`);
        return start.href;
      }),
    );
    const acknowledged = [marker.id];
    let isWriting = true;
    const writers = Array.from({ length: WRITERS }, () => write(target, ({ id }) => acknowledged.push(id)));
    const writing = Promise.all(writers).finally(() => {
      isWriting = false;
    });
    const listings = Promise.all(starts.map((start) => follow(target, start, () => isWriting)));
    for (const { ids, last } of (await Promise.all([listings, writing]))[0]) {
      const seen = new Set(ids);
      const missed = acknowledged.filter((id) => !seen.has(id)).slice(0, 10);
      const expected = 'all acknowledged pets in the pages up to this one';
      expect(last.response, missed.length === 0, expected, `${seen.size}, without ${missed.join(', ')}`);
    }
  },
});
