import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { Pet } from '@petstore/contract';
import * as esbuild from 'esbuild';
import { describe, expect, test } from 'vitest';
import { operations } from '../src/contract.ts';
import type { PetStore } from '../src/index.ts';
import { createMemoryPetStore } from '../src/testing/memory-pet-store.ts';

/** The minified bundle of an app for browsers. */
async function bundle(source: string, conditions: string[] = []): Promise<string> {
  const { outputFiles } = await esbuild.build({
    conditions,
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** 5 kB with the three operations of the interface document, and 0.2 kB for each that is added. */
const LIMIT = 5_000 + 200 * (Object.keys(operations).length - 3);

const gzippedSize = (code: string) => gzipSync(code, { level: 9 }).length;

describe('an app', () => {
  test('grows by less than 5 kB for three operations, minified and gzipped, by the client', async () => {
    const code = await bundle(
      "import { createPetStore, isPetStoreError } from '@petstore/client'; console.log(createPetStore, isPetStoreError)",
    );
    expect(gzippedSize(code)).toBeLessThan(LIMIT);
    expect(code).not.toMatch(/\bimport\b|\brequire\b/);
  });

  test('grows by less than 5 kB for three operations, minified and gzipped, by the fetcher for ts-rest', async () => {
    const code = await bundle("export * from '@petstore/client/ts-rest'");
    expect(gzippedSize(code)).toBeLessThan(LIMIT);
  });
});

test('a production bundle leaves out what only developers read, and one for development has it', async () => {
  const source = "import { createPetStore } from '@petstore/client'; console.log(createPetStore)";
  const notice = 'is deprecated';
  expect(await bundle(source)).not.toContain(notice);
  expect(await bundle(source, ['development'])).toContain(notice);
});

test('the client runs where there is only the web platform', async () => {
  const code = await bundle(
    "import { createPetStore } from '@petstore/client'; globalThis.create = createPetStore",
  );
  const memory = createMemoryPetStore();
  const { fetch } = memory;
  const web = {
    AbortController,
    crypto,
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
  await expect(page.create?.({ baseUrl, apiKey: '' }).listPets()).rejects.toThrow(/^apiKey is malformed$/);
  const store = page.create?.({ baseUrl, apiKey });
  const pet = Pet.parse({ id: 1, name: 'Ñandú', categoryId: 2n ** 63n - 1n });
  expect(await store?.createPet({ name: pet.name, categoryId: pet.categoryId })).toEqual(pet);
  expect(await store?.listPets()).toEqual([pet]);
});
