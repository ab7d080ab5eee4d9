// The entries that need @petstore/contract. It prints "right".
import { createPetStore } from '@petstore/client';
import { createMemoryPetStore } from '@petstore/client/testing';
import { validate } from '@petstore/client/validate';
import { NewPet } from '@petstore/contract';

const memory = createMemoryPetStore({ pets: [{ name: 'Ada', categoryId: 7, status: 'sold' }] });
const store = createPetStore({ ...memory, validate });
const form = NewPet.safeParse({ name: 'Bob', categoryId: 7 });
if (form.success) await store.createPet(form.data);

const names = (await store.listPets()).map(({ name }) => name);
if (names.join() === 'Ada,Bob' && NewPet.safeParse({}).error?.issues[0]?.message === 'is required') {
  console.log('right');
}

// @ts-expect-error not a pet
export const wrong = () => createMemoryPetStore({ pets: [42] });
