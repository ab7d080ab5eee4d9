import { NewPet } from '@petstore/contract';
import { type Cut, startProxy } from '@petstore/test-support/proxies/proxy';
import { expect, test, vi } from 'vitest';
import { createPetStore } from '../src/index.ts';
import { serveMemory } from './support/serve-memory.ts';

// Each test cuts a few hundred connections, which may take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const newPet = NewPet.parse({ name: 'Ñandú 🦤', categoryId: 9007199254740993n });

const cuts: Omit<Cut, 'after'>[] = [
  { direction: 'request', ending: 'end' },
  { direction: 'request', ending: 'resetAndDestroy' },
  { direction: 'response', ending: 'end' },
  { direction: 'response', ending: 'resetAndDestroy' },
];

test.concurrent.each(cuts)(
  'createPet adds one pet if the connection is cut at any byte of the $direction ($ending)',
  async ({ direction, ending }) => {
    await using service = await serveMemory();
    await using proxy = await startProxy(service.baseUrl);
    const { apiKey, pets } = service.memory;
    const store = createPetStore({ baseUrl: `${proxy.origin}/v1`, apiKey, retryDelayMs: 0 });
    await store.createPet(newPet);
    const before = proxy.passed[direction];
    await store.createPet(newPet);
    const length = proxy.passed[direction] - before;
    expect(length).toBeGreaterThan(200);

    for (let after = 0; after < length; after += 1) {
      proxy.cut({ direction, after, ending });
      const id = pets.length + 1;
      expect(await store.createPet(newPet)).toEqual({ id, ...newPet });
      expect(pets).toHaveLength(id);
    }
  },
);
