import { fileURLToPath } from 'node:url';
import { createPetStore } from '@petstore/client';
import { launchBrowser } from '@petstore/test-support/browser';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { type Fault, forwardUnchanged, startHttpProxy } from '@petstore/test-support/proxies/http-proxy';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** The user name that the proxy in front of the catalogue sends. */
export const USER = 'ada@shelter.example';

/** Starts the built app as a process. Its timeout is long by default, because other tests may keep the machine busy. */
export const startCatalogue = (environment: Record<string, string>): Promise<ServerProcess> =>
  startServer(
    { PETSTORE_API_KEY: FIXED_KEY, PETSTORE_TIMEOUT_MS: '60000', ...environment },
    { cli: fileURLToPath(new URL('../../dist/cli.js', import.meta.url)), command: [] },
  );

/**
 * Runs a real pet store and the catalogue for the tests of a file, with a network between them that can fail. After
 * each test the windows are closed, and the network is repaired.
 * @param prepare runs before the first test
 * @returns a function that gives the app to a test
 */
export function useApp(prepare: (app: App) => Promise<unknown> = async () => {}): () => App {
  let app: App | undefined;
  beforeAll(async () => {
    app = await startApp();
    await prepare(app);
  });
  afterEach(() => app?.reset());
  afterAll(() => app?.close());
  return () => {
    if (app === undefined) throw new Error('The app exists only while tests run');
    return app;
  };
}

type App = Awaited<ReturnType<typeof startApp>>;

async function startApp() {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await temporaryDatabase('sqlite'));
  const start = () => startServer({ DATABASE_URL: database.url });
  let server = await start();
  stack.defer(() => server[Symbol.asyncDispose]());

  let fault = forwardUnchanged;
  const proxy = stack.use(await startHttpProxy({ target: () => server.origin, fault: () => fault }));
  const petStoreUrl = `${proxy.origin}/v1`;
  const catalogue = stack.use(await startCatalogue({ PETSTORE_BASE_URL: petStoreUrl }));
  const browser = stack.use(await launchBrowser());
  return {
    catalogue,
    petStoreUrl,
    database,
    store: createPetStore({ baseUrl: petStoreUrl, apiKey: FIXED_KEY, attemptTimeoutMs: 60_000 }),
    /** @param next handles the next requests of the catalogue @default they are forwarded */
    setFault(next: Fault = forwardUnchanged) {
      fault = next;
    },
    stopServer: () => server.stop(),
    async startServer() {
      server = await start();
    },
    /** Opens a page in a new window of a user whom the proxy has signed in. */
    async open(path: string, options: BrowserContextOptions = {}) {
      const extraHTTPHeaders = { 'X-Forwarded-User': USER };
      const context = await browser.newContext({ extraHTTPHeaders, baseURL: catalogue.origin, ...options });
      const page = await context.newPage();
      await page.goto(path);
      return page;
    },
    /** Sends a request with the header of the proxy. @param origin of another catalogue */
    request(path: string, init: RequestInit = {}, origin = catalogue.origin) {
      const headers = { 'X-Forwarded-User': USER, ...init.headers };
      return fetch(origin + path, { redirect: 'manual', ...init, headers });
    },
    async reset() {
      fault = forwardUnchanged;
      for (const context of browser.contexts()) await context.close();
    },
    close: () => stack.disposeAsync(),
  };
}

/** The text of the first element that matches. */
export const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).first().textContent()) ?? '';

/** The names in a list. */
export const names = (page: Page): Promise<string[]> => page.locator('.animals strong').allTextContents();

/** Follows a link, and waits for its page. */
export async function follow(page: Page, name: string): Promise<void> {
  // The links to further pages stand before and after the list.
  const link = page.getByRole('link', { name, exact: true }).first();
  const path = (await link.getAttribute('href')) ?? '';
  await link.click();
  await page.waitForURL(new URL(path, page.url()).href);
}

/** Waits for the page of an animal, which follows an accepted form. @returns its path */
export async function waitForAnimal(page: Page): Promise<string> {
  await page.waitForURL(/\/animals\/\d+(\?|$)/);
  return new URL(page.url()).pathname;
}

export async function fillForm(page: Page, name: string, categoryId: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Category').fill(categoryId);
}

export const add = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Add', exact: true }).click();
