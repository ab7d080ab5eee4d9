import { expect, test } from 'vitest';
import { type Ending, storeBehindRelay } from './cutting-relay.ts';

const newPet = { name: 'Ñandú 🦤', categoryId: 9007199254740993n };

const cuts: { side: 'request' | 'response'; ending: Ending }[] = [
  { side: 'request', ending: 'end' },
  { side: 'request', ending: 'resetAndDestroy' },
  { side: 'response', ending: 'end' },
  { side: 'response', ending: 'resetAndDestroy' },
];

test.concurrent.each(cuts)(
  'createPet adds and returns one pet at whichever byte of the $side the connection is cut ($ending)',
  async ({ side, ending }) => {
    const { store, pets, passed, cut } = await storeBehindRelay();
    await store.createPet(newPet);
    const before = passed[side];
    await store.createPet(newPet);
    const length = passed[side] - before;
    expect(length).toBeGreaterThan(200);
    for (let after = 0; after < length; after += 1) {
      cut({ side, after, ending });
      const id = pets.length + 1;
      expect(await store.createPet(newPet)).toEqual({ id, ...newPet });
      expect(pets).toHaveLength(id);
    }
  },
);
