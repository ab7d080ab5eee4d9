import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '@petstore/test-support/files';
import { startShell } from '@petstore/test-support/programs';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { afterAll, expect, test } from 'vitest';

const DEMO = `${import.meta.dirname}/../scripts/demo.ts`;

/** Starts the demo on free ports, and waits for its animals. @throws Error with its output if it ends before */
async function startDemo(database: string, variables: Record<string, string> = {}) {
  const freePorts = { PORT: `${await findFreePort()}`, CATALOGUE_PORT: `${await findFreePort()}` };
  const environment = { ...freePorts, ...variables };
  const demo = startShell(`exec node "${DEMO}" --database "${database}"`, { environment });
  const ended = demo.ended.then(() => {
    throw new Error(`The demo has ended: ${demo.output()}`);
  });
  // The demo prints this once it has added the animals.
  while (!demo.output().includes('Catalogue')) await Promise.race([sleep(100), ended]);
  const { PORT, CATALOGUE_PORT } = environment;
  return { ...demo, service: `http://127.0.0.1:${PORT}`, catalogue: `http://127.0.0.1:${CATALOGUE_PORT}` };
}

const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());
const folder = resources.use(await temporaryFolder());
const exported = { DATABASE_URL: `sqlite:${folder.file('shell.db')}`, HOST: '127.0.0.2' };
const demo = resources.use(await startDemo(folder.file('demo.db'), exported));

test('pnpm demo starts both apps with animals, on 127.0.0.1 despite an exported HOST, and never opens an exported DATABASE_URL', async () => {
  // Nothing comes before it, such as a log line or a notice of a retry.
  expect(demo.output()).toMatch(/^\n {2}Catalogue/);
  expect(await (await fetch(`${demo.catalogue}/animals`)).text()).toContain('id="animal-');
  expect(existsSync(folder.file('shell.db'))).toBe(false);
});

const urls = Object.entries({ PORT: demo.service, CATALOGUE_PORT: demo.catalogue });
test.each(urls)('a demo whose %s is in use ends with a line that says so', async (variable, url) => {
  const { port } = new URL(url);
  const message = new RegExp(`ended: ${port} is in use: .* or set ${variable} .*\\n$`);
  await expect(startDemo(folder.file('second.db'), { [variable]: port })).rejects.toThrow(message);
});

test('a demo whose service cannot start ends', async () => {
  // The file demo.db cannot contain a file.
  await expect(startDemo(folder.file('demo.db/second.db'))).rejects.toThrow('ended');
});

test('Ctrl-C ends the demo with all its programs', async () => {
  expect(await demo.end('SIGINT')).toBe(0);
  for (const url of [demo.service, demo.catalogue]) await expect(fetch(url)).rejects.toThrow();
});
