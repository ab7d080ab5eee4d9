import { expect, test } from 'vitest';
import { type Ending, storeOverRelay } from './relay.ts';

const newPet = { name: 'Ñandú 🦤', categoryId: 9007199254740993n };

const cuts: { side: 'request' | 'answer'; ending: Ending }[] = [
  { side: 'request', ending: 'end' },
  { side: 'request', ending: 'resetAndDestroy' },
  { side: 'answer', ending: 'end' },
  { side: 'answer', ending: 'resetAndDestroy' },
];

test.concurrent.each(cuts)(
  'wherever a connection is cut in the $side ($ending), createPet adds one animal and gives it',
  async ({ side, ending }) => {
    const { store, animals, passed, cut } = await storeOverRelay();
    await store.createPet(newPet);
    const before = passed[side];
    await store.createPet(newPet);
    const length = passed[side] - before;
    expect(length).toBeGreaterThan(200);
    for (let after = 0; after < length; after += 1) {
      cut({ side, after, ending });
      const id = animals.length + 1;
      expect(await store.createPet(newPet)).toEqual({ id, ...newPet });
      expect(animals).toHaveLength(id);
    }
  },
);
