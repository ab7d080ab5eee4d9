// What a user must not write. Where a type is lost (any, never), an error that is expected here is missing.
import { createPetStore, isPetStoreError } from '@petstore/client';

const store = createPetStore({ baseUrl: 'https://pets.example/v1', apiKey: 'pst_' });

export async function wrong(error: unknown) {
  // @ts-expect-error not a pet
  await store.createPet(42);
  // @ts-expect-error a name is required
  await store.createPet({ categoryId: 1 });
  // @ts-expect-error the service assigns the id
  await store.createPet({ id: 1, name: 'a', categoryId: 1 });
  // @ts-expect-error the status does not exist
  await store.listPets({ status: 'lost' });
  // @ts-expect-error the parameter does not exist
  await store.listPets({ offset: 1 });
  // @ts-expect-error an id is not a string
  await store.getPet('1');
  // @ts-expect-error a page has no id
  (await store.listPets()).id;
  // @ts-expect-error a page is not a pet
  for await (const page of store.pets().pages()) page.name;
  // @ts-expect-error a pet has no age
  (await store.createPet({ name: 'a', categoryId: 1 })).age;
  // @ts-expect-error an id can be a bigint
  (await store.createPet({ name: 'a', categoryId: 1 })).id.toFixed();
  // @ts-expect-error the response can be an Error
  (await store.safe.createPet({ name: 'a', categoryId: 1 })).body;
  // @ts-expect-error the option does not exist
  createPetStore({ baseUrl: 'https://pets.example/v1', apiKey: 'pst_', retry: 3 });
  // @ts-expect-error the error is not known to be of this client
  error.code;
  // @ts-expect-error there is no such name
  if (isPetStoreError(error)) return error.name === 'ServerError';
  return false;
}
