import { findFreePort } from '@petstore/test-support/servers/free-port';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { createMemoryPetStore, type MemoryPetStore } from '../../src/testing/memory-pet-store.ts';

/** The condition of the service. The last two conditions are codes of Errors that it sends. */
export type Condition =
  | 'up'
  | 'closes connections'
  | 'refuses connections'
  | 'database_unavailable'
  | 'overloaded';

/** Starts a service on a loopback port that can fail as real services do, and recover on the same port. */
export async function startServiceWithOutages() {
  const memory = createMemoryPetStore();
  let condition: Condition = 'up';
  let requests = 0;
  const respond: MemoryPetStore['fetch'] = async (url, init) => {
    requests += 1;
    if (condition === 'up') return memory.fetch(url, init);
    if (condition === 'closes connections') throw new Error(condition);
    const body = JSON.stringify({ code: condition, message: 'Later.', status: 503 });
    return new Response(body, { status: 503, headers: { 'retry-after': '1' } });
  };
  const port = await findFreePort();
  let service: AsyncDisposable | undefined = await serveFetch(respond, port);
  const stop = async () => {
    await service?.[Symbol.asyncDispose]();
    service = undefined;
  };
  return {
    ...memory,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** How many requests arrived. */
    requests: () => requests,
    async become(next: Condition): Promise<void> {
      condition = next;
      if (next === 'refuses connections') await stop();
      else service ??= await serveFetch(respond, port);
    },
    [Symbol.asyncDispose]: stop,
  };
}
