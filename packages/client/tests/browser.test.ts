import { launchBrowser } from '@petstore/test-support/browser';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import * as esbuild from 'esbuild';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryPetStore } from '../src/testing/memory-pet-store.ts';

/** An app that uses the client, and leaves what went wrong in `result`. */
const APP = `
import { createPetStore, isPetStoreError, stringifyJson } from '@petstore/client';
import { exactBody, petStoreFetcher } from '@petstore/client/ts-rest';

async function use() {
  const store = createPetStore({ baseUrl: location.origin + '/v1', apiKey: 'pst_memory' });
  const added = await store.createPet({ name: 'Ñandú 🦤', categoryId: 2n ** 60n });
  const names = [];
  for await (const { name } of store.pets({ pageSize: 1 })) names.push(name);
  const error = await store.createPet({ name: '\\0', categoryId: 1 }).catch((thrown) => thrown);
  const aborted = await store.safe.listPets({}, { signal: AbortSignal.abort() });
  const offline = createPetStore({ baseUrl: 'http://127.0.0.1:2/v1', apiKey: 'pst_memory', retries: 0 });
  const failed = await offline.safe.listPets();
  const openStore = async () => createPetStore({ baseUrl: location.origin + '/v1', apiKey: '' });
  const keyless = await openStore().then((store) => store.listPets()).catch((thrown) => thrown);
  const sendRequest = petStoreFetcher({ apiKey: 'pst_memory' });
  return stringifyJson({
    added,
    names,
    isKnown: isPetStoreError(error),
    error: error.message,
    aborted: aborted.error.name,
    failed: failed.error.name,
    keyless: keyless.message,
    exact: JSON.stringify(exactBody({ id: 2n ** 60n })),
    fetcher: typeof sendRequest,
  });
}
globalThis.result = use();
`;

const keyless = {
  production: 'apiKey is malformed',
  development: 'apiKey is missing: is the variable set that it comes from?',
};

type Mode = keyof typeof keyless;

const bundlers = {
  async esbuild(mode: Mode): Promise<string> {
    const { outputFiles } = await esbuild.build({
      stdin: { contents: APP, resolveDir: import.meta.dirname },
      conditions: [mode],
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    });
    return outputFiles[0]?.text ?? '';
  },
  async rolldown(mode: Mode): Promise<string> {
    const app = `${import.meta.dirname}/app.js`;
    const build = await rolldown({
      input: app,
      platform: 'browser',
      resolve: { conditionNames: ['browser', mode, 'import'] },
      plugins: [
        { name: 'app', resolveId: (id) => (id === app ? id : null), load: (id) => (id === app ? APP : null) },
      ],
    });
    const { output } = await build.generate();
    return output[0].code;
  },
};

const resources = new AsyncDisposableStack();
let browser: Awaited<ReturnType<typeof launchBrowser>>;

beforeAll(async () => {
  browser = resources.use(await launchBrowser());
});

afterAll(() => resources.disposeAsync());

const cases = (['production', 'development'] as const).flatMap((mode) => [
  ['esbuild', mode] as const,
  ['rolldown', mode] as const,
]);

test.each(cases)('a bundle by %s for %s works in Chromium', async (bundler, mode) => {
  const code = await bundlers[bundler](mode);
  expect(code.includes('is deprecated')).toBe(mode === 'development');
  const memory = createMemoryPetStore();
  await memory.fetch(`${memory.baseUrl}/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${memory.apiKey}`, 'content-type': 'application/json' },
    body: '{"name":"Ada","categoryId":7}',
  });
  await using served = await serveFetch(async (url, init) => {
    const { pathname } = new URL(url);
    if (pathname.startsWith('/v1/')) return memory.fetch(url, init);
    return pathname === '/app.js'
      ? new Response(code, { headers: { 'content-type': 'text/javascript' } })
      : new Response('<script type="module" src="/app.js"></script>', {
          headers: { 'content-type': 'text/html' },
        });
  });
  const page = await browser.newPage();
  await page.goto(served.origin);
  const result = await page.evaluate<string>('result');
  expect(result).toBe(
    '{"added":{"id":2,"name":"Ñandú 🦤","categoryId":1152921504606846976},"names":["Ada","Ñandú 🦤"],' +
      '"isKnown":true,"error":"createPet: 400 invalid_body: The body lacks a required property, has an invalid ' +
      'value or is not I-JSON.","aborted":"AbortError","failed":"NetworkError",' +
      `"keyless":"${keyless[mode]}",` +
      '"exact":"{\\"id\\":1152921504606846976}","fetcher":"function"}',
  );
  await page.close();
});
