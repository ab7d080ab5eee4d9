import type { Listening } from '@petstore/test-support/servers/listen';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { createMemoryPetStore, type MemoryPetStore } from '../../src/testing/memory-pet-store.ts';

/** Serves the in-memory pet store over HTTP on loopback. */
export async function serveMemory(): Promise<Listening & { memory: MemoryPetStore; baseUrl: string }> {
  const memory = createMemoryPetStore();
  return { ...(await serveFetch(memory.fetch)), memory };
}
