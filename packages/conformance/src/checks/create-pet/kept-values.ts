import type { Int64 } from '@petstore/contract';
import { type Check, check } from '../../check.ts';
import { expectKept } from '../../pets.ts';

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

/** Every int64, also those of which a service could think that no category has them. */
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
const integers: Record<string, Int64> = {
  '5.0': 5,
  '5e0': 5,
  '50e-1': 5,
  '9007199254740993.0': 9007199254740993n,
};

const keepsCategoryId = (name: string, cites: string, notation: string, categoryId: Int64) =>
  check(name, cites, (target) =>
    expectKept(target, { categoryId }, `{"name":"int64","categoryId":${notation}}`),
  );

export const keptValues: Check[] = [
  ...Object.entries(names).map(([what, name]) =>
    check(`A name with ${what} is kept exactly`, 'decision: name', (target) => expectKept(target, { name })),
  ),
  ...int64s.map((digits) =>
    keepsCategoryId(
      `The categoryId ${digits} is kept exactly`,
      'interface: NewPet (int64)',
      digits,
      BigInt(digits),
    ),
  ),
  ...Object.entries(integers).map(([notation, value]) =>
    keepsCategoryId(
      `The categoryId ${notation} is the integer ${value}`,
      'decision: integers in a body',
      notation,
      value,
    ),
  ),
];
