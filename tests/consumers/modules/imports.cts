import { createPetStore, type Pet } from '@petstore/client';

const store = createPetStore({ baseUrl: 'https://pets.example/v1', apiKey: 'pst_' });
export const pet: Promise<Pet> = store.createPet({ name: 'Ada', categoryId: 7 });
