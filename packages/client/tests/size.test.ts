import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { expect, test } from 'vitest';
import type { PetStore } from '../src/index.ts';
import { createMemoryPetStore } from '../src/testing/index.ts';

/** Bundles some code with everything that it imports, minified. */
async function bundle(source: string): Promise<string> {
  const { output } = await build({
    input: 'entry',
    platform: 'browser',
    write: false,
    output: { minify: true },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? `${import.meta.dirname}/entry.js` : null),
        load: (id) => (id.endsWith('entry.js') ? source : null),
      },
    ],
  });
  return output[0].code;
}

const gzippedSize = (code: string) => gzipSync(code, { level: 9 }).length;

test('the main entry is at most 5 kB minified and gzipped, and imports nothing', async () => {
  const code = await bundle("export * from '@petstore/client'");
  expect(gzippedSize(code)).toBeLessThanOrEqual(5_000);
  expect(code).not.toMatch(/\bimport\b|\brequire\b/);
});

test('the fetcher for ts-rest is at most 5 kB minified and gzipped', async () => {
  const code = await bundle("export * from '@petstore/client/ts-rest'");
  expect(gzippedSize(code)).toBeLessThanOrEqual(5_000);
});

test('the main entry runs where there is only the web platform', async () => {
  const code = await bundle(
    "import { createPetStore } from '@petstore/client'; globalThis.create = createPetStore",
  );
  const memory = createMemoryPetStore();
  const { fetch } = memory;
  const web = {
    AbortController,
    crypto,
    DOMException,
    fetch,
    Headers,
    performance,
    TextDecoder,
    URL,
    setTimeout,
    clearTimeout,
  };
  const page: typeof web & { create?: (options: object) => PetStore } = { ...web };
  runInContext(code, createContext(page));
  const { baseUrl, apiKey } = memory;
  const store = page.create?.({ baseUrl, apiKey });
  const pet = { id: 1, name: 'Ñandú', categoryId: 2n ** 63n - 1n };
  expect(await store?.createPet({ name: pet.name, categoryId: pet.categoryId })).toEqual(pet);
  expect(await store?.listPets()).toEqual([pet]);
});
