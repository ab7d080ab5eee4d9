import type { Int64 } from '@petstore/contract';
import type { Check } from '../../check.ts';
import { expectKept } from '../../pets.ts';

/** Notations of a categoryId, each with the value that must come back. */
const int64s: Record<string, Int64> = {
  '9007199254740991': 9007199254740991,
  '9007199254740993': 9007199254740993n,
  '9223372036854775807': 9223372036854775807n,
};

/** Values of which a service could think that no category has them. */
const unusual: Record<string, Int64> = {
  '0': 0,
  '-1': -1,
  '-9007199254740993': -9007199254740993n,
  '-9223372036854775808': -9223372036854775808n,
};

/** Integers as JSON Schema understands them. */
const integers: Record<string, Int64> = {
  '5.0': 5,
  '5e0': 5,
  '50e-1': 5,
  '9007199254740993.0': 9007199254740993n,
};

const bodyOf = (notation: string) => `{"name":"int64","categoryId":${notation}}`;

const keeps = (notations: Record<string, Int64>, cites: string) =>
  Object.entries(notations).map(
    ([notation, value]): Check => ({
      name: `The categoryId ${notation} is kept exactly`,
      cites,
      readOnly: false,
      run: (target) => expectKept(target, { categoryId: value }, bodyOf(notation)),
    }),
  );

export const int64: Check[] = [
  ...keeps(int64s, 'interface: NewPet (int64)'),
  ...keeps(unusual, 'decision: range of categoryId'),
  ...Object.entries(integers).map(
    ([notation, value]): Check => ({
      name: `The categoryId ${notation} is the integer ${value}`,
      cites: 'decision: integers in a body',
      readOnly: false,
      run: (target) => expectKept(target, { categoryId: value }, bodyOf(notation)),
    }),
  ),
];
