import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from '@petstore/test-support/browser';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import type { Page, Route } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { createExample } from './app.ts';
import { userEnvironment } from './run.ts';

test('a Vite app with React lists, pages, adds with validation and shows errors', async () => {
  await using app = await createExample('vite');
  const variables = `VITE_BASE_URL=${inject('baseUrl')}\nVITE_API_KEY=${inject('apiKey')}\n`;
  await writeFile(join(app.path, '.env'), variables);
  await app.run('npm', 'run', 'build');
  await using site = await serve(app.path, 'vite', ['preview', '--host', '127.0.0.1', '--port']);
  await using browser = await launchBrowser();

  const page = await browser.newPage();
  await page.goto(site.origin);
  for (const name of ['Vita', 'Vitus', 'Vitali']) {
    await add(page, name);
    // The first page has two pets; the third shows by the button to the next page.
    await page
      .getByText(name, { exact: true })
      .or(page.getByRole('button', { name: 'More' }))
      .first()
      .waitFor();
  }
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByText('Vitali', { exact: true }).waitFor();
  expect(await page.getByRole('listitem').allTextContents()).toEqual(['Vita', 'Vitus', 'Vitali']);

  await page.getByLabel('Category').fill('seven');
  await page.getByRole('button', { name: 'Add' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('categoryId must be an integer');

  // The service adds the pet, and no response arrives until the client gives up.
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route('**/v1/pets', lose);
  await add(page, 'Vidal');
  await page.getByRole('alert').waitFor();
  await page.unroute('**/v1/pets', lose);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('Vidal', { exact: true }).waitFor();
  expect(await page.getByText('Vidal', { exact: true }).count()).toBe(1);

  await page.goto(`${site.origin}/?key=pst_wrong`);
  expect(await page.getByRole('alert').textContent()).toMatch(/key/i);
});

test('a Next app lists, pages, adds with validation and keeps the API key on its server', async () => {
  await using app = await createExample('next');
  await app.run('npm', 'run', 'build');
  await using site = await serve(app.path, 'next', ['start', '--hostname', '127.0.0.1', '--port']);
  await using browser = await launchBrowser();

  const page = await browser.newPage();
  const transferred: string[] = [];
  page.on('response', async (response) => transferred.push(await response.text().catch(() => '')));
  await page.goto(site.origin);
  for (const name of ['Nextor', 'Nexa', 'Nexus']) {
    await add(page, name);
    await page.getByText(`Added ${name}`).waitFor();
  }
  await page.getByRole('link', { name: 'More' }).click();
  await page.getByText('Nexus', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('categoryId must be an integer').waitFor();
  const sent = transferred.join('\n');
  expect([sent.includes('Nexus'), sent.includes(inject('apiKey'))]).toEqual([true, false]);
});

async function add(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Category').fill('7');
  await page.getByRole('button', { name: 'Add' }).click();
}

/** Runs the server of an app on a free port, which is added to the arguments. */
async function serve(
  cwd: string,
  command: string,
  args: string[],
): Promise<AsyncDisposable & { origin: string }> {
  const port = await findFreePort();
  const server = spawn(`node_modules/.bin/${command}`, [...args, `${port}`], {
    cwd,
    env: { ...userEnvironment(), PETSTORE_BASE_URL: inject('baseUrl'), PETSTORE_API_KEY: inject('apiKey') },
    // A group of its own: it starts processes itself.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 200; tries += 1) {
    if (
      await fetch(origin).then(
        () => true,
        () => false,
      )
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    origin,
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      if (server.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
      await ended;
    },
  };
}
