import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { send } from '../../http/send.ts';
import { newPet } from '../../pets.ts';

/** JSON values that are no NewPet. */
const invalid: Record<string, unknown> = {
  'a pet without a name': { categoryId: 1 },
  'a pet without a categoryId': { name: 'x' },
  'an empty object': {},
  'an array': [newPet()],
  'a string': 'x',
  null: null,
  'a name that is a number': { ...newPet(), name: 5 },
  'a name that is null': { ...newPet(), name: null },
  'a name that is an array': { ...newPet(), name: ['x'] },
  'a name with NUL in it': newPet({ name: 'a\0b' }),
  'a name with a lone surrogate in it': newPet({ name: 'a\ud800b' }),
  'a status that PetStatus does not have': { ...newPet(), status: 'adopted' },
  'a status in capitals': { ...newPet(), status: 'Sold' },
  'a status that is empty': { ...newPet(), status: '' },
  'a status that is null': { ...newPet(), status: null },
  'a categoryId that is a string': { ...newPet(), categoryId: '5' },
  'a categoryId that is a boolean': { ...newPet(), categoryId: true },
  'a categoryId that is null': { ...newPet(), categoryId: null },
  'a categoryId that is an array': { ...newPet(), categoryId: [5] },
  'a categoryId that is a fraction': { ...newPet(), categoryId: 5.5 },
  'a categoryId above int64': { ...newPet(), categoryId: 2n ** 63n },
  'a categoryId below int64': { ...newPet(), categoryId: -(2n ** 63n) - 1n },
};

export const invalidNewPet = Object.entries(invalid).map(
  ([what, json]): Check => ({
    name: `createPet returns 400 for ${what}`,
    cites: 'interface: createPet (400)',
    readOnly: false,
    run: async (target) => {
      // A JSON text that is no object may also count as malformed.
      expectError(await send(target, 'POST', '/pets', { json }), 400, 'invalid_body', 'malformed_json');
    },
  }),
);
