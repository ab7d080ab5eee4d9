import { type Int64, int64Bounds } from '@petstore/contract';
import { type Check, checks, each, tableOf } from '../../check.ts';
import { expectListed } from '../../pages.ts';
import { addPet, expectFetched, expectKept } from '../../pets.ts';
import type { Target } from '../../target.ts';

const names = {
  'an emoji': 'Ñandú 🦤',
  'spaces around it': '  Rex\t\n',
  'decomposed characters': 'N\u0303andu\u0301',
  'compatibility characters': 'ﬁdo ① Å',
  'no characters at all': '',
  'quotes, backslashes and markup': '"\\ </script><b>&amp;\'; --',
  'line separators, a byte order mark and direction marks': '\u2028\u2029\ufeff\u202e',
  'control characters': '\u0001\b\u001f\u007f',
};

/** Some of these values are unusual ids of a category, such as 0 and negative integers. */
const int64s = [
  '9007199254740991',
  '9007199254740993',
  '9223372036854775807',
  '0',
  '-1',
  '-9007199254740993',
  '-9223372036854775808',
];

/** Integers as JSON Schema understands them. */
const integers: Record<string, [notation: string, value: Int64]> = {
  '5.0 is the integer 5': ['5.0', 5],
  '5e0 is the integer 5': ['5e0', 5],
  '50e-1 is the integer 5': ['50e-1', 5],
  '9007199254740993.0 is the integer 9007199254740993': ['9007199254740993.0', 9007199254740993n],
};

const keepsCategoryId = (target: Target, notation: string, categoryId: Int64) =>
  expectKept(target, { categoryId }, `{"name":"int64","categoryId":${notation}}`);

export const keptValues: Check[] = [
  ...checks('interface: listPets', {
    'listPets returns the values of getPet': async (target) => {
      const pets = [
        await addPet(target, { name: 'x'.repeat(2_000), status: 'pending' }),
        await addPet(target, { name: names['spaces around it'] }),
        await addPet(target, { categoryId: int64Bounds.minimum, status: 'available' }),
        await addPet(target, { categoryId: 0 }),
      ];
      for (const pet of pets) {
        await expectFetched(target, pet);
        await expectListed(target, { status: undefined, ...pet });
      }
    },
  }),
  ...checks(
    'decision: name',
    each('A name with … is kept exactly', names, (target, name) => expectKept(target, { name })),
  ),
  ...checks(
    'interface: NewPet (int64)',
    each('The categoryId … is kept exactly', tableOf(int64s), (target, digits) =>
      keepsCategoryId(target, digits, BigInt(digits)),
    ),
  ),
  ...checks(
    'decision: integers in a body',
    each('The categoryId …', integers, (target, [notation, value]) =>
      keepsCategoryId(target, notation, value),
    ),
  ),
];
