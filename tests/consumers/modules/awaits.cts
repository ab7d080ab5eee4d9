import type { Pet } from '@petstore/client' with { 'resolution-mode': 'import' };

export async function addPet(): Promise<Pet> {
  const { createPetStore } = await import('@petstore/client');
  const store = createPetStore({ baseUrl: 'https://pets.example/v1', apiKey: 'pst_' });
  return store.createPet({ name: 'Ada', categoryId: 7 });
}
