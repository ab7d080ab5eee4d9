import { createPetStore } from '@petstore/client';

// On the server only: the API key never reaches a browser.
export const store = createPetStore({
  baseUrl: process.env.PETSTORE_BASE_URL ?? '',
  apiKey: process.env.PETSTORE_API_KEY ?? '',
});
