import { launchBrowser } from '@petstore/test-support/browser';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import * as esbuild from 'esbuild';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
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

const bundlers: Record<string, () => Promise<string | undefined>> = {
  async esbuild() {
    const { outputFiles } = await esbuild.build({
      stdin: { contents: APP, resolveDir: import.meta.dirname },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    });
    return outputFiles[0]?.text;
  },
  async rolldown() {
    const input = `${import.meta.dirname}/app.js`;
    const resolveId = (id: string) => (id === input ? id : null);
    const load = (id: string) => (id === input ? APP : null);
    const build = await rolldown({
      input,
      platform: 'browser',
      plugins: [{ name: 'app', resolveId, load }],
    });
    return (await build.generate()).output[0].code;
  },
};

test.each(Object.entries(bundlers))('a bundle by %s works in Chromium', async (_name, bundle) => {
  const code = await bundle();
  const memory = createMemoryPetStore();
  const page = `<script type="module">${code}</script>`;
  await using served = await serveFetch(async (url, init) =>
    url.includes('/v1/')
      ? memory.fetch(url, init)
      : new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  );
  await using browser = await launchBrowser();
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
