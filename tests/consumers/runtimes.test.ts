import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchBrowser } from '@petstore/test-support/browser';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { listen } from '@petstore/test-support/servers/listen';
import { describe, expect, inject, test } from 'vitest';
import { createApp } from './app.ts';
import { userEnvironment } from './run.ts';

describe.each(['22.12.0', '24', 'latest'])('Node.js %s', (version) => {
  test('runs the client as an ES module, by require, in a worker thread and on undici', async () => {
    await using app = await createApp('runtimes', ['client'], { node: version, undici: '7' });
    const node = 'node_modules/node/bin/node';
    for (const program of ['program.mjs', 'required.cjs', 'worker-thread.mjs', 'with-undici.mjs']) {
      expect(await app.run(node, program)).toBe('right\n');
    }
  });
});

test('Node.js 18 is told what it lacks when the store is created', async () => {
  await using app = await createApp('runtimes', ['client'], { node: '18' });
  const output = await app.run('node_modules/node/bin/node', 'too-old.mjs');
  expect(output).toMatch(
    /^TypeError: This runtime lacks crypto: use Node.js 22.12 or newer, or in React Native /,
  );
});

test.each([
  { runtime: 'deno', args: ['run', '--allow-all', '--node-modules-dir=manual'] },
  { runtime: 'bun', args: [] },
])('$runtime runs the client', async ({ runtime, args }) => {
  await using app = await createApp('runtimes', ['client'], { [runtime]: 'latest' });
  expect(await app.run(`node_modules/.bin/${runtime}`, ...args, 'program.mjs')).toBe('right\n');
});

test('Hermes, which React Native has, runs the client with the additions of the README', async () => {
  await using app = await createApp('hermes', ['client'], {
    '@babel/core': '7',
    '@babel/preset-env': '7',
    'abort-controller': '3',
    'core-js': '3',
    esbuild: 'latest',
    'hermes-engine-cli': '0.12.0',
    'whatwg-fetch': '3',
  });
  await app.run('node', 'build.mjs');
  const hermes = 'node_modules/hermes-engine-cli/linux64-bin/hermes';
  expect(await app.run(hermes, '-Xes6-promise=1', '-w', 'bundle.js')).toBe('right\n');
});

test('workerd runs the client', async () => {
  await using app = await createApp('runtimes', ['client'], { workerd: 'latest', esbuild: 'latest' });
  await app.run('npx', 'esbuild', 'workerd.js', '--bundle', '--format=esm', '--outfile=bundle.js');
  const port = await findFreePort();
  const worker = spawn(
    'node_modules/.bin/workerd',
    ['serve', 'workerd.capnp', `--socket-addr=http=127.0.0.1:${port}`],
    {
      cwd: app.path,
      env: { ...userEnvironment(), PETSTORE_BASE_URL: inject('baseUrl'), PETSTORE_API_KEY: inject('apiKey') },
      stdio: 'inherit',
    },
  );
  const ended = once(worker, 'exit');
  try {
    expect(await readWhenUp(`http://127.0.0.1:${port}`)).toBe('right');
  } finally {
    worker.kill('SIGKILL');
    await ended;
  }
});

test('Chromium runs the client in a page of another origin and in a web worker', async () => {
  await using app = await createApp('runtimes', ['client'], { esbuild: 'latest' });
  await app.run('npx', 'esbuild', 'use-client.js', '--bundle', '--format=esm', '--outfile=bundle.js');
  await using site = await serveFiles({ '/bundle.js': join(app.path, 'bundle.js') });
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(site.origin);

  const call = `useClient('${inject('baseUrl')}', '${inject('apiKey')}')`;
  expect(await page.evaluate(`import('/bundle.js').then(({ useClient }) => ${call})`)).toBe('right');

  const program = `import { useClient } from '${site.origin}/bundle.js'; postMessage(await ${call});`;
  const inWorker = `new Promise((resolve, reject) => {
    const script = new Blob([${JSON.stringify(program)}], { type: 'text/javascript' });
    const worker = new Worker(URL.createObjectURL(script), { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
  })`;
  expect(await page.evaluate(inWorker)).toBe('right');
});

test.each(['2', '3'])('Chromium runs an app whose requests go to MSW %s', async (version) => {
  const dependencies = { zod: 'latest', msw: version, esbuild: 'latest' };
  await using app = await createApp('runtimes', ['client', 'contract'], dependencies);
  await app.run('npx', 'esbuild', 'use-msw.js', '--bundle', '--format=esm', '--outfile=bundle.js');
  await using site = await serveFiles({
    '/bundle.js': join(app.path, 'bundle.js'),
    '/mockServiceWorker.js': join(app.path, 'node_modules/msw/lib/mockServiceWorker.js'),
  });
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(site.origin);
  expect(await page.evaluate(`import('/bundle.js').then(({ useMsw }) => useMsw())`)).toBe('right');
});

/** Serves scripts by their paths, and an empty page for every other path. */
function serveFiles(scripts: Record<string, string>) {
  const server = createServer(async ({ url = '/' }, response) => {
    const script = scripts[url];
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
    response.end(script === undefined ? '<!doctype html>' : await readFile(script));
  });
  return listen(server);
}

/** The body of a response, as soon as something listens. */
async function readWhenUp(url: string): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    const response = await fetch(url).catch(() => undefined);
    if (response) return response.text();
    await sleep(50);
  }
  throw new Error(`Nothing listens on ${url}`);
}
