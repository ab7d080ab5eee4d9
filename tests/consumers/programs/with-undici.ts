// The entry that needs undici. It prints "right".
import { createPetStore } from '@petstore/client';
import { createNodeFetch } from '@petstore/client/node';

const { PETSTORE_BASE_URL: baseUrl = '', PETSTORE_API_KEY: apiKey = '' } = process.env;
const store = createPetStore({ baseUrl, apiKey, fetch: createNodeFetch({ connections: 2 }) });
const { name } = await store.createPet({ name: 'Ada', categoryId: 7 });
if (name === 'Ada') console.log('right');

// @ts-expect-error not a number
createNodeFetch({ connections: 'many' });
