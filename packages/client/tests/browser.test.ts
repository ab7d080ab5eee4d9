import { gzipSync } from 'node:zlib';
import { launchBrowser } from '@petstore/test-support/browser';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import * as esbuild from 'esbuild';
import { expect, test } from 'vitest';
import { operations } from '../src/contract.ts';
import { createMemoryPetStore } from '../src/testing/memory-pet-store.ts';

/** An app that uses the client. */
const APP = `
import { createPetStore, isPetStoreError, stringifyJson } from '@petstore/client';
import { exactBody } from '@petstore/client/ts-rest';

const baseUrl = location.origin + '/v1';
const apiKey = 'pst_memory';
const catchError = (call) => call().catch((error) => isPetStoreError(error) ? error.name : error.message);

globalThis.use = async () => {
  const store = createPetStore({ baseUrl, apiKey });
  for (const name of ['Ada', 'Ñandú 🦤']) await store.createPet({ name, categoryId: 2n ** 60n });
  const offline = createPetStore({ baseUrl: 'http://127.0.0.1:2/v1', apiKey, retries: 0 });
  return [
    stringifyJson(await Array.fromAsync(store.pets({ pageSize: 1 }), ({ name, categoryId }) => [name, categoryId])),
    JSON.stringify(exactBody({ id: 2n ** 60n })),
    await catchError(() => store.createPet({ name: '\\0', categoryId: 1 })),
    await catchError(() => store.listPets({}, { signal: AbortSignal.abort() })),
    await catchError(() => offline.listPets()),
    await catchError(async () => createPetStore({ baseUrl, apiKey: '' }).listPets()),
  ];
};`;

/** The minified bundle of an app for browsers. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

test('a bundle works in Chromium', async () => {
  await using browser = await launchBrowser();
  const memory = createMemoryPetStore();
  const page = `<script type="module">${await bundle(APP)}</script>`;
  await using served = await serveFetch(async (url, init) =>
    url.includes('/v1/')
      ? memory.fetch(url, init)
      : new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  );
  const tab = await browser.newPage();
  await tab.goto(served.origin);
  expect(await tab.evaluate('use()')).toEqual([
    `[["Ada",${2n ** 60n}],["Ñandú 🦤",${2n ** 60n}]]`,
    `{"id":${2n ** 60n}}`,
    'ServiceError',
    'AbortError',
    'NetworkError',
    'apiKey is missing: is the variable set that it comes from?',
  ]);
});

/** 7 kB with the three operations of the interface document, and 0.2 kB for each that is added. */
const LIMIT = 7_000 + 200 * (Object.keys(operations).length - 3);

test.each(['@petstore/client', '@petstore/client/ts-rest'])(
  '%s adds less than 7 kB to an app, minified and gzipped, for three operations',
  async (entry) => {
    const code = await bundle(`import * as all from '${entry}'; console.log(all);`);
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(LIMIT);
  },
);
