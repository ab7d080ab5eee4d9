import { expect, test } from 'vitest';
import * as z from 'zod';
import { NewPet, Pet, PetStatus } from './pet.ts';

// The next test covers only the messages. The conformance suite tests which pets a service refuses and stores.
test.each([
  [{ categoryId: 1 }, 'name', 'is required'],
  [{ name: null, categoryId: 1 }, 'name', 'must be a string'],
  [{ name: 'a\0', categoryId: 1 }, 'name', 'must not contain NUL or a lone surrogate'],
  [{ name: 'a' }, 'categoryId', 'is required'],
  [{ name: 'a', categoryId: '5' }, 'categoryId', 'must be an integer from -2^63 to 2^63 - 1'],
  [{ name: 'a', categoryId: 1, status: 'lost' }, 'status', `must be one of ${PetStatus.options.join(', ')}`],
])('the message for the NewPet %j says that its %s %s', (body, name, message) => {
  expect(NewPet.safeParse(body).error?.issues).toMatchObject([{ path: [name], message }]);
});

test('a schema that requires a status says so if the status is missing', () => {
  expect(PetStatus.safeParse(undefined).error?.issues).toMatchObject([{ message: 'is required' }]);
});

test.each(Object.entries(NewPet.shape))(
  'the example of the property %s of a NewPet is not its default, so that a test notices a lost value',
  (name, schema) => {
    const example: Record<string, unknown> = Object(z.globalRegistry.get(NewPet)?.example);
    expect(example[name]).not.toEqual(schema.safeParse(undefined).data);
  },
);

test('the examples have every property, so that tests with an example cover new properties', () => {
  for (const schema of [NewPet, Pet]) {
    const example = z.globalRegistry.get(schema)?.example;
    expect(schema.parse(example)).toEqual(example);
    expect(Object.keys(Object(example)).toSorted()).toEqual(Object.keys(schema.shape).toSorted());
  }
});
