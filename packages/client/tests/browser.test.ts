import { gzipSync } from 'node:zlib';
import { launchBrowser } from '@petstore/test-support/browser';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { operations } from '../src/contract.ts';
import { createMemoryPetStore } from '../src/testing/memory-pet-store.ts';

const APP = `
import { createPetStore, stringifyJson } from '@petstore/client';

globalThis.use = async () => {
  const store = createPetStore({ baseUrl: location.origin + '/v1', apiKey: 'pst_memory' });
  await store.createPet({ name: 'Ñandú 🦤', categoryId: 2n ** 60n });
  const [{ name, categoryId }] = await store.listPets();
  const offline = createPetStore({ baseUrl: 'http://127.0.0.1:2/v1', apiKey: 'pst_memory', retries: 0 });
  return [stringifyJson([name, categoryId]), (await offline.safe.listPets()).error.name];
};`;

/** The minified bundle of an app for browsers. */
async function bundle(contents: string): Promise<string> {
  const stdin = { contents, resolveDir: import.meta.dirname };
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', write: false });
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
  expect(await tab.evaluate('use()')).toEqual([`["Ñandú 🦤",${2n ** 60n}]`, 'NetworkError']);
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
