import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseJson, stringifyJson } from '@petstore/contract';
import { openApiDocument } from '@petstore/contract/openapi';
import { temporaryFolder } from '@petstore/test-support/files';
import { sendRaw } from '@petstore/test-support/sockets/raw-http';
import { describe, expect, test } from 'vitest';
import { fileRoute } from '../src/http/public/docs.ts';
import { type RunningApp, startApp } from './support/app.ts';

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

describe('the script of /docs', () => {
  const ask = (app: RunningApp, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${app.origin}/docs/scalar.js`, { method, headers });

  test('comes as a whole, whatever the request asks for', async () => {
    await using app = await startApp();
    const whole = await (await ask(app)).text();
    for (const headers of [
      { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
      { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { range: 'bytes=0-9' },
      { range: 'bytes=99999999-' },
      { range: 'bytes=0-9', 'if-range': '"x"' },
    ]) {
      const response = await ask(app, headers);
      expect({ headers, status: response.status }).toEqual({ headers, status: 200 });
      expect(await response.text()).toBe(whole);
    }
  });

  test('may be cached for an hour, and is then fetched only if it has changed', async () => {
    await using app = await startApp();
    const head = await ask(app, {}, 'HEAD');
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'content-length': expect.stringMatching(/^\d{7}$/),
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(await head.text()).toBe('');
    const etag = head.headers.get('etag') ?? '';
    const [response] = await sendRaw(
      app.origin,
      `GET /docs/scalar.js HTTP/1.1\r\nHost: a\r\nIf-None-Match: "x", ${etag}\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatchObject({ status: 304, body: '' });
    expect(response?.headers.get('etag')).toBe(etag);
  });

  test('is read again for the next request after it could not be read', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('scalar.js');
    const respond = fileRoute(pathToFileURL(file).href, []);
    await expect(respond()).rejects.toThrow('ENOENT');
    writeFileSync(file, '"here"');
    expect(String((await respond()).body)).toBe('"here"');
  });
});
