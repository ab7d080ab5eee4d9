import type { Fetch } from '@petstore/client';
import { createMemoryPetStore, type MemoryPetStoreOptions } from '@petstore/client/testing';
import { temporaryFolder } from '@petstore/test-support/files';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { startPets } from './run-pets.ts';

export const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);

interface Options extends Pick<MemoryPetStoreOptions, 'pets'> {
  /** Wraps the service, for example to refuse requests. */
  wrap?: (fetch: Fetch) => Fetch;
}

/** A service in memory, and a folder to work in. */
export async function startMemoryService({ pets, wrap = (fetch) => fetch }: Options = {}) {
  const memory = createMemoryPetStore({ pets });
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const { baseUrl } = stack.use(await serveFetch(wrap(memory.fetch)));
  const environment = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: memory.apiKey };
  const start = (args: string[], { input = '' }: { input?: string } = {}) =>
    startPets(args, { cwd: folder.path, environment, input });
  return {
    memory,
    folder,
    names: () => memory.pets.map(({ name }) => name),
    start,
    run: (...args: Parameters<typeof start>) => start(...args).ended,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
