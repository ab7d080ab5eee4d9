// A CommonJS module that loads the client by require. It prints "right".
import client = require('@petstore/client');

declare const process: { env: Record<string, string | undefined> };

const store = client.createPetStore({
  baseUrl: process.env.PETSTORE_BASE_URL ?? '',
  apiKey: process.env.PETSTORE_API_KEY ?? '',
});

store.createPet({ name: 'Ada', categoryId: 7 }).then(({ name }: client.Pet) => {
  if (name === 'Ada') console.log('right');
});

// @ts-expect-error not a pet
export const wrong = () => store.createPet(42);
