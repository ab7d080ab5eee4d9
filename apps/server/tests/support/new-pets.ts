import { type Int64, NewPet, normalizeInteger, PetStatus } from '@petstore/contract';
import fc from 'fast-check';
import * as z from 'zod';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** All of int64. Values next to the limits of int64, int32 and doubles are frequent. */
const int64s: fc.Arbitrary<Int64> = fc
  .oneof(
    fc.bigInt(MIN, MAX),
    fc.bigInt(-100n, 100n),
    fc
      .tuple(
        fc.constantFrom(MIN, -(2n ** 53n), -(2n ** 31n), 0n, 2n ** 31n, 2n ** 53n, MAX),
        fc.bigInt(-2n, 2n),
      )
      .map(([corner, step]) => corner + step)
      .filter((value) => value >= MIN && value <= MAX),
  )
  .map(normalizeInteger);

/** Any text that the contract allows: all of Unicode except NUL and lone surrogates. */
const names = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...'"\\/\b\f\n\r\t\u0001\u007f\u2028\ufeff\u{1f9a4}\u{10ffff}é') }),
    fc.constantFrom('', ' ', '__proto__', 'null', '0', "'; drop table pets; --", 'x'.repeat(10_000)),
  )
  .filter((text) => !text.includes('\0'));

const properties = NewPet.keyof().options;
const accepts = (name: keyof NewPet, value: unknown) => NewPet.shape[name].safeParse(value).success;
const example = NewPet.parse(z.globalRegistry.get(NewPet)?.example);

/** Values that the contract allows for a property. */
const valuesOf = (name: keyof NewPet): fc.Arbitrary<unknown> =>
  fc
    .oneof(names, int64s, fc.constantFrom(...PetStatus.options), fc.constant(example[name]))
    .filter((value) => accepts(name, value));

/** Pets that the contract allows. */
export const newPets: fc.Arbitrary<NewPet> = fc
  .record(Object.fromEntries(properties.map((name) => [name, valuesOf(name)])), {
    requiredKeys: properties.filter((name) => !accepts(name, undefined)),
  })
  .map((members) => NewPet.parse(members));
