import { createPetStore } from '@petstore/client';

try {
  createPetStore({ baseUrl: 'https://pets.example/v1', apiKey: 'pst_' });
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
}
