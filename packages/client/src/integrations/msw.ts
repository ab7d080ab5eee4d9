import { type HttpHandler, http } from 'msw';
import type { MemoryPetStore } from '../testing/memory-pet-store.ts';

export interface PetStoreHandlersOptions {
  /**
   * The base URL that the app under test calls.
   * @default the base URL of the in-memory pet store
   */
  baseUrl?: string | undefined;
}

/**
 * Creates request handlers for Mock Service Worker. They pass every request below a base URL to an in-memory pet
 * store: `setupServer(...petStoreHandlers(createMemoryPetStore()))`, or `setupWorker` in a browser.
 */
export function petStoreHandlers(
  memory: MemoryPetStore,
  { baseUrl = memory.baseUrl }: PetStoreHandlersOptions = {},
): HttpHandler[] {
  const base = baseUrl.replace(/\/$/, '');
  return [
    http.all(`${base}/*`, async ({ request }) => {
      const { url, method, headers } = request;
      const body = await request.arrayBuffer();
      return memory.fetch(memory.baseUrl + url.slice(base.length), {
        method,
        headers,
        body: body.byteLength === 0 ? null : body,
      });
    }),
  ];
}
