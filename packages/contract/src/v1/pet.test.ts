import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { NewPet, Pet, Pets } from './pet.ts';

const accepts = (body: unknown) => NewPet.safeParse(body).success;

describe('NewPet', () => {
  test('keeps every well-formed name exactly', () => {
    const name = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(name, (text) => {
        expect(NewPet.parse({ name: text, categoryId: 1 }).name).toBe(text);
      }),
    );
  });

  test.each(['\0', 'a\0b', '\ud83e', '\udda4', 'a\ud83e b', 5, null, true, ['a'], undefined])(
    'refuses the name %o, which cannot come back unchanged',
    (name) => {
      expect(accepts({ name, categoryId: 1 })).toBe(false);
    },
  );

  test('accepts the three statuses or none, and nothing else', () => {
    for (const status of ['available', 'pending', 'sold', undefined]) {
      expect(accepts({ name: 'a', categoryId: 1, status })).toBe(true);
    }
    for (const status of ['Available', 'lost', '', null, 1]) {
      expect(accepts({ name: 'a', categoryId: 1, status })).toBe(false);
    }
  });

  test('leaves out a status that was left out, and ignores unknown members', () => {
    const pet = NewPet.parse({ name: 'a', categoryId: 1, id: 9, noProperty: 'red' });
    expect(pet).toMatchObject({ name: 'a', categoryId: 1 });
    for (const name of ['id', 'noProperty', 'status']) expect(pet).not.toHaveProperty(name);
  });

  test.each([
    [{}, ['name is required', 'categoryId is required']],
    [
      { name: null, categoryId: '5' },
      ['name must be a string', 'categoryId must be an integer from -2^63 to 2^63 - 1'],
    ],
    [
      { name: 'a\0', categoryId: 1, status: 'lost' },
      ['name must not contain NUL or a lone surrogate', 'status must be one of available, pending, sold'],
    ],
  ])('says of %j which properties are required and which are invalid', (body, messages) => {
    const issues = NewPet.safeParse(body).error?.issues;
    expect(issues?.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual(messages);
  });
});

test.each(Object.entries(NewPet.shape))(
  'the property %s of a NewPet refuses text that the databases cannot store, and its example is not its default',
  (name, schema) => {
    for (const value of ['a\0b', 'a\ud83eb']) expect(schema.safeParse(value).success).toBe(false);
    const example: Record<string, unknown> = Object(z.globalRegistry.get(NewPet)?.example);
    expect(example[name]).not.toEqual(schema.safeParse(undefined).data);
  },
);

test('the examples have every property, so that tests that use them cover a new one', () => {
  for (const schema of [NewPet, Pet]) {
    const example = z.globalRegistry.get(schema)?.example;
    expect(schema.parse(example)).toEqual(example);
    expect(Object.keys(Object(example)).toSorted()).toEqual(Object.keys(schema.shape).toSorted());
  }
});

describe('Pet', () => {
  test('is listed in pages that are bare arrays of at most 100', () => {
    expect(Pets.safeParse({ items: [] }).success).toBe(false);
    const page = (length: number) => Array.from({ length }, (_, id) => ({ id, name: 'a', categoryId: 2 }));
    expect(Pets.safeParse(page(100)).success).toBe(true);
    expect(Pets.safeParse(page(101)).success).toBe(false);
  });
});
