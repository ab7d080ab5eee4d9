// What an app does with Mock Service Worker in a browser.
import { createPetStore } from '@petstore/client';
import { petStoreHandlers } from '@petstore/client/msw';
import { createMemoryPetStore } from '@petstore/client/testing';
import { setupWorker } from 'msw/browser';

/** @returns "right" when everything works */
export async function useMsw() {
  const baseUrl = 'https://pets.example/v1';
  const memory = createMemoryPetStore({ pets: [{ name: 'Ada', categoryId: 7 }] });
  await setupWorker(...petStoreHandlers(memory, { baseUrl })).start({ quiet: true });

  const store = createPetStore({ baseUrl, apiKey: memory.apiKey });
  await store.createPet({ name: 'Ñandú 🦤', categoryId: 9007199254740993n });
  const names = [];
  for await (const { name } of store.pets({ pageSize: 1 })) names.push(name);
  return names.join() === 'Ada,Ñandú 🦤' ? 'right' : `wrong: ${names}`;
}
