import { hash } from 'node:crypto';
import fs, { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { findLink, parseJson, stringifyJson, v1 } from '@petstore/contract';
import { openApiDocument } from '@petstore/contract/openapi';
import { findHtmlErrors } from '@petstore/test-support/html';
import { openSocket, requestHead } from '@petstore/test-support/raw-http';
import { creation, fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { expect, test, vi } from 'vitest';
import { startApp, useApp } from '#support/app';

const app = await useApp();
/** The path of Scalar's script, whose name has a hash of its content. */
const [script = ''] = /docs\/scalar\.\w+\.js/.exec(await (await fetch(`${app.origin}/docs`)).text()) ?? [];

test('/openapi.json, /docs and links have the URLs of the configuration, and never the Host header', async () => {
  const urls = { production: 'https://api.petstore.test/v12/v1', staging: 'https://staging.test/v1' };
  const environment = { PUBLIC_BASE_URL: `${urls.production}/`, STAGING_BASE_URL: urls.staging };
  await using app = await startApp(environment);
  const document = parseJson(await (await fetch(`${app.origin}/openapi.json`)).text());
  expect(document).toEqual(parseJson(stringifyJson(openApiDocument(urls))));
  const policy = (await fetch(`${app.origin}/docs`)).headers.get('content-security-policy');
  expect(policy).toContain("connect-src 'self' https://api.petstore.test https://staging.test;");
  for (const id of [1, 2]) {
    const created = await app.request('/pets', creation());
    expect(created.headers.get('location')).toBe(`${urls.production}/pets/${id}`);
  }
  const next = findLink((await app.request('/pets?limit=1')).headers.get('link'), 'next');
  expect(next).toMatch(/^https:\/\/api\.petstore\.test\/v12\/v1\/pets\?limit=1&cursor=/);
  expect((await app.request('/pets/1')).headers.get('link')).toContain('https://api.petstore.test/v12/docs>');
});

test('/ and /docs/ lead to /docs, which is valid HTML, loads everything from the service itself, and lists every operation without JavaScript', async () => {
  const page = await fetch(`${app.origin}/docs`);
  for (const path of ['/', '/docs/']) expect((await fetch(app.origin + path)).url).toBe(page.url);
  const html = await page.text();
  expect(await findHtmlErrors(html)).toEqual([]);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
  expect(html).not.toMatch(/https?:\/\//);
  const [, withoutScript = ''] = /<noscript>(.*)<\/noscript>/s.exec(html) ?? [];
  for (const { method, path } of Object.values(v1.contract.pets))
    expect(withoutScript).toContain(`<code>${method} /v1${path}</code>`);
  expect(withoutScript).toContain('href="openapi.json"');
  const [, icon = ''] = /<link rel="icon" href="([^"]+)"/.exec(html) ?? [];
  const { headers, status } = await fetch(new URL(icon, `${app.origin}/docs`));
  expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
});

test('with DOCS=off the service has no documentation', async () => {
  await using app = await startApp({ DOCS: 'off' });
  for (const path of ['/', '/docs', `/${script}`, '/openapi.json']) {
    expect((await fetch(app.origin + path)).status).toBe(401);
    expect((await fetchWithKey(app.origin, app.apiKey)(path)).status).toBe(404);
  }
});

test('a script of /docs, whose name has a hash of its content, comes compressed and is kept for a year, and the page is revalidated', async () => {
  const page = await fetch(`${app.origin}/docs`);
  const url = `${app.origin}/${script}`;
  expect(script).toContain(hash('sha256', await (await fetch(url)).bytes()).slice(0, 12));
  const head = async (accepted: string) =>
    (await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': accepted } })).headers;
  const responses = [await head('identity'), await head('gzip'), await head('gzip, br')];
  expect(responses.map((headers) => headers.get('content-encoding'))).toEqual([null, 'gzip', 'br']);
  for (const headers of responses) {
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript',
      vary: 'Accept-Encoding',
    });
  }
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const conditional = { 'if-none-match': page.headers.get('etag') ?? '' };
  const unmodified = await fetch(`${app.origin}/docs`, { headers: conditional });
  expect([unmodified.status, unmodified.headers.get('cache-control')]).toEqual([304, 'no-cache']);
  const unknown = await fetch(`${app.origin}/docs/scalar.1.js`);
  expect([unknown.status, unknown.headers.get('cache-control')]).toEqual([401, 'no-store']);
});

test('a file that cannot be read cuts its response, HEAD reads no file, and the service goes on', async () => {
  // sirv opens files with `fs.createReadStream`.
  const { createReadStream } = fs;
  const spy = vi.spyOn(fs, 'createReadStream').mockImplementationOnce(() => createReadStream('/none'));
  syncBuiltinESMExports();
  await expect(fetch(`${app.origin}/docs`)).rejects.toThrow();
  expect((await fetch(`${app.origin}/docs`, { method: 'HEAD' })).status).toBe(200);
  expect(spy.mock.results[1]?.value).toMatchObject({ bytesRead: 0 });
  spy.mockRestore();
  syncBuiltinESMExports();
  expect((await fetch(`${app.origin}/docs`)).status).toBe(200);
});

test('a file of /docs counts as outstanding bytes while its caller does not read, and is closed once the caller has gone away', async () => {
  await using app = await startApp();
  const descriptors = () => readdirSync('/proc/self/fd').map((name) => `/proc/self/fd/${name}`);
  // The list includes the descriptor that has read the folder, which is closed by now.
  const isOpen = () => descriptors().some((name) => existsSync(name) && readlinkSync(name).endsWith(script));
  const caller = await openSocket(app.origin);
  caller.write(requestHead(`GET /${script}`));
  await expect.poll(isOpen).toBe(true);
  // For each file the service counts a piece of 64 KiB in its stream, and one on the way to the caller.
  expect(app.service.connections.outstandingBytes).toBe(2 * 64 * 1024);
  caller.destroy();
  await expect.poll(isOpen).toBe(false);
  expect(app.service.connections.outstandingBytes).toBe(0);
});
