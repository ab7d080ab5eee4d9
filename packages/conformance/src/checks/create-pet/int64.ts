import type { Int64 } from '@petstore/contract';
import type { Check } from '../../check.ts';
import { assert } from '../../conformance-error.ts';
import { findPage } from '../../pages.ts';
import { addPet, fetchPet, petOf, post } from '../../pets.ts';

/** Notations of a categoryId, each with the value that must come back. */
const notations: Record<string, Int64> = {
  '0': 0,
  '-1': -1,
  '9007199254740991': 9007199254740991,
  '9007199254740993': 9007199254740993n,
  '-9007199254740993': -9007199254740993n,
  '9223372036854775807': 9223372036854775807n,
  '-9223372036854775808': -9223372036854775808n,
};

/** Integers as JSON Schema understands them. */
const integers: Record<string, Int64> = {
  '5.0': 5,
  '5e0': 5,
  '50e-1': 5,
  '9007199254740993.0': 9007199254740993n,
};

const checkKept =
  (notation: string, value: Int64): Check['run'] =>
  async (target) => {
    const added = petOf(await post(target, `{"name":"int64","categoryId":${notation}}`), 201);
    for (const { categoryId } of [added, await fetchPet(target, added)]) {
      assert(categoryId === value, `expected the categoryId ${value}, but it was ${categoryId}`);
    }
  };

export const int64: Check[] = [
  ...Object.entries(notations).map(
    ([notation, value]): Check => ({
      name: `The categoryId ${notation} is kept exactly`,
      cites: 'interface: NewPet (int64)',
      readOnly: false,
      run: checkKept(notation, value),
    }),
  ),
  ...Object.entries(integers).map(
    ([notation, value]): Check => ({
      name: `The categoryId ${notation} is the integer ${value}`,
      cites: 'decision: integers in a body',
      readOnly: false,
      run: checkKept(notation, value),
    }),
  ),
  {
    name: 'listPets does not round a categoryId',
    cites: 'interface: Pet (int64)',
    readOnly: false,
    run: async (target) => {
      const pet = await addPet(target, { categoryId: 9007199254740993n });
      const { pets } = await findPage(target, [pet]);
      const listed = pets.find(({ id }) => id === pet.id);
      assert(
        listed?.categoryId === 9007199254740993n,
        `expected the categoryId 9007199254740993, but it was ${listed?.categoryId}`,
      );
    },
  },
];
