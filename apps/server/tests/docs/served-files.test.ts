import { parseJson, stringifyJson } from '@petstore/contract';
import { openApiDocument } from '@petstore/contract/openapi';
import { temporaryFolder } from '@petstore/test-support/files';
import { startServer } from '@petstore/test-support/servers/server-process';
import { sendRaw } from '@petstore/test-support/sockets/raw-http';
import { describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '#support/app';

test('/openapi.json has the contract and the servers of the configuration, and needs no key', async () => {
  await using app = await startApp({
    PUBLIC_BASE_URL: 'https://api.petstore.test/v1',
    STAGING_BASE_URL: 'https://staging.petstore.test/v1',
  });
  const document = parseJson(await (await fetch(`${app.origin}/openapi.json`)).text());
  expect(document).toEqual(
    parseJson(
      stringifyJson(
        openApiDocument({
          production: 'https://api.petstore.test/v1',
          staging: 'https://staging.petstore.test/v1',
        }),
      ),
    ),
  );
});

test('/docs loads everything from the service itself, under a strict policy', async () => {
  await using app = await startApp();
  const page = await fetch(`${app.origin}/docs`);
  const html = await page.text();
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
  expect(html).not.toMatch(/https?:\/\//);
  const [, script = ''] = /<script src="([^"]+)"/.exec(html) ?? [];
  const response = await fetch(new URL(script, `${app.origin}/docs`));
  expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
  expect((await response.text()).length).toBeGreaterThan(1_000_000);
});

test('with DOCS=off the service has no documentation, and says so in its first log line', async () => {
  await using app = await startApp({ DOCS: 'off' });
  for (const path of ['/', '/docs', '/docs/scalar.js', '/openapi.json']) {
    const headers = { authorization: `Bearer ${app.apiKey}` };
    expect((await fetch(app.origin + path)).status).toBe(401);
    expect((await fetch(app.origin + path, { headers })).status).toBe(404);
  }
  await using folder = await temporaryFolder();
  await using server = await startServer({ DOCS: 'off' }, { cwd: folder.path });
  expect(server.output()).toMatch(/"msg":"Listening on [^",]+"/);
  expect(server.output()).not.toContain('docs');
});

describe('a script of /docs', () => {
  /** The name that the page gives to the script of Scalar. */
  async function findScript({ origin }: RunningApp): Promise<string> {
    const html = await (await fetch(`${origin}/docs`)).text();
    return `/${/docs\/scalar\.\w+\.js/.exec(html)?.[0]}`;
  }

  test('comes as a whole, whatever the request asks for', async () => {
    await using app = await startApp();
    const url = app.origin + (await findScript(app));
    const whole = await (await fetch(url)).text();
    for (const headers of [
      { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
      { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { range: 'bytes=0-9' },
      { range: 'bytes=99999999-' },
      { range: 'bytes=0-9', 'if-range': '"x"' },
      { 'accept-encoding': 'identity' },
      { 'accept-encoding': 'br' },
    ]) {
      const response = await fetch(url, { headers });
      expect({ headers, status: response.status }).toEqual({ headers, status: 200 });
      expect(await response.text()).toBe(whole);
    }
  });

  test('comes compressed to callers who accept that, and caches keep the forms apart', async () => {
    await using app = await startApp();
    const url = app.origin + (await findScript(app));
    const head = async (accepted: string) => {
      const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': accepted } });
      return Object.fromEntries(headers);
    };
    const [plain, gzip, brotli] = [await head('identity'), await head('gzip'), await head('gzip, br')];
    expect(plain).not.toHaveProperty('content-encoding');
    expect(gzip).toHaveProperty('content-encoding', 'gzip');
    expect(brotli).toHaveProperty('content-encoding', 'br');
    expect(Number(brotli?.['content-length'])).toBeLessThan(Number(plain?.['content-length']) / 4);
    for (const headers of [plain, gzip, brotli]) expect(headers).toHaveProperty('vary', 'Accept-Encoding');
    expect(new Set([plain, gzip, brotli].map((headers) => headers?.etag)).size).toBe(3);
  });

  test('is kept by caches for a year, and the page is revalidated', async () => {
    await using app = await startApp();
    const hashed = await fetch(app.origin + (await findScript(app)), { method: 'HEAD' });
    expect(Object.fromEntries(hashed.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript',
    });
    const page = await fetch(`${app.origin}/docs`, { method: 'HEAD' });
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const [response] = await sendRaw(
      app.origin,
      `GET /docs HTTP/1.1\r\nHost: a\r\n` +
        `If-None-Match: ${page.headers.get('etag')}\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatchObject({ status: 304, body: '' });
  });
});
