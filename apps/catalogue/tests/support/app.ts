import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { NewPet } from '@petstore/client';
import { createMemoryPetStore, type MemoryPetStore } from '@petstore/client/testing';
import { launchBrowser } from '@petstore/test-support/browser';
import { temporaryFolder } from '@petstore/test-support/files';
import { listen } from '@petstore/test-support/servers/listen';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { pino } from 'pino';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach } from 'vitest';
import { createApp } from '../../src/app.ts';
import { MAX_TIMEOUT_MS, readConfig } from '../../src/config.ts';
import { connectPetStore } from '../../src/pet-store.ts';

/** The user of all requests, unless a test names another one. */
export const USER = 'ada@shelter.example';

/** The header in which the proxy sends the name of a user, as UTF-8. `fetch` would write it as Latin-1. */
export const userHeader = (name = USER) => ({ 'X-Forwarded-User': Buffer.from(name).toString('latin1') });

export const API_KEY = 'key-of-the-catalogue';

/** The environment of each catalogue. The timeout is the maximum, because the machine may be busy. */
export const variables = { PETSTORE_API_KEY: API_KEY, PETSTORE_TIMEOUT_MS: `${MAX_TIMEOUT_MS}` };

/** Starts the app in the process of the test, with the built stylesheet. */
async function startCatalogue(environment: Record<string, string>) {
  const config = readConfig({ ...variables, ...environment });
  const log: string[] = [];
  const logger = pino({ base: null }, { write: (line) => log.push(line) });
  const app = createApp(config, connectPetStore(config, logger), logger);
  return { ...(await listen(createServer(getRequestListener(app.fetch)))), log, app };
}

/** The browser of all files that a worker runs. Playwright ends it with the worker. */
let browser: Promise<Browser> | undefined;

/** Responds to a request of the catalogue instead of the pet store. If it throws, the connection is closed. */
type Fault = MemoryPetStore['fetch'];

/**
 * Runs the catalogue and an in-memory pet store for the tests of a file, with a network between them that can fail.
 * After each test the network is repaired.
 */
export async function useApp(newPets: readonly NewPet[] = []) {
  const stack = new AsyncDisposableStack();
  const memory = createMemoryPetStore({ apiKey: API_KEY, pets: newPets });
  let fault: Fault | undefined;
  afterEach(() => {
    fault = undefined;
  });
  afterAll(() => stack.disposeAsync());
  const service = stack.use(await serveFetch((url, init) => (fault ?? memory.fetch)(url, init)));
  const folder = stack.use(await temporaryFolder());
  const start = (environment: Record<string, string> = {}) =>
    startCatalogue({ PETSTORE_BASE_URL: service.baseUrl, ...environment });
  const { origin, log, ...catalogue } = await start();
  stack.use(catalogue);
  /** Sends a request with the header of the proxy. @param init.to the origin of another catalogue */
  function request(path: string, { to = origin, ...init }: RequestInit & { to?: string } = {}) {
    return fetch(to + path, { redirect: 'manual', ...init, headers: { ...userHeader(), ...init.headers } });
  }
  /** Tests share a window, because a new one takes a second. */
  let page: Page | undefined;
  return {
    origin,
    log,
    petStoreUrl: service.baseUrl,
    /** A folder for files of the tests. */
    folder,
    pets: memory.pets,
    /** Starts a further catalogue for the same pet store. */
    start,
    /** @param next handles the next requests of the catalogue @default the pet store handles them */
    setFault(next?: Fault) {
      fault = next;
    },
    /** Sends no response to the catalogue's next requests. @returns a promise that resolves when a request arrives */
    hang: () =>
      new Promise<void>((arrive) => {
        fault = () => new Promise(() => arrive());
      }),
    forward: memory.fetch,
    /** Forwards a request to the pet store, and loses the response. */
    loseResponse: async (...request: Parameters<Fault>) => {
      await memory.fetch(...request);
      throw new Error('The response is lost');
    },
    countPets: (name: string) => memory.pets.filter((pet) => pet.name === name).length,
    /** Opens a page as a user whom the proxy has signed in, without the cookies of other tests. */
    async open(path: string) {
      browser ??= launchBrowser();
      const options = { extraHTTPHeaders: userHeader(), baseURL: origin };
      page ??= stack.use(await (await browser).newPage(options));
      // Long, because the machine may be busy.
      page.setDefaultTimeout(60_000);
      await page.context().clearCookies();
      await page.goto(path);
      return page;
    },
    request,
    /** Submits a form to its `action` as a browser does. @returns the page */
    async submit(action: string, name: string, fields: Record<string, string> = {}) {
      const body = new URLSearchParams({ name, categoryId: '7', ...fields });
      const headers = { 'Sec-Fetch-Site': 'same-origin' };
      return (await request(action, { method: 'POST', body, headers })).text();
    },
  };
}

/** The names in the HTML of a list, as HTML escapes them. */
export const namesIn = (html: string): string[] =>
  Array.from(html.matchAll(/<strong><bdi>([^<]*)/g), ([, name = '']) => name);

/** Waits for the page of an animal, which follows an accepted form. @returns its path */
export async function waitForAnimal(page: Page): Promise<string> {
  await page.waitForURL(/\/animals\/\d+(\?|$)/);
  return new URL(page.url()).pathname;
}

export async function fillForm(page: Page, name: string, categoryId = '7'): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Category').fill(categoryId);
}

export const pressAdd = (page: Page) => page.getByRole('button', { name: 'Add', exact: true }).click();
