import { createPetStore } from '@petstore/client';
import { createPetStoreQueries } from '@petstore/client/tanstack-query';

// Every visitor of a page can read its key: this one may come from the address, as after a login.
const { VITE_BASE_URL: baseUrl, VITE_API_KEY } = import.meta.env;
const apiKey = new URLSearchParams(location.search).get('key') ?? VITE_API_KEY;

// A person waits: after ten seconds the page says what is wrong.
const store = createPetStore({ baseUrl, apiKey, timeoutMs: 10_000 });

/** Once for the whole app: it knows which pets were sent and got no response. */
export const queries = createPetStoreQueries(store);
