import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { parseJson, stringifyJson } from '@petstore/contract';
import { openApiDocument } from '@petstore/contract/openapi';
import { temporaryFolder } from '@petstore/test-support/files';
import { sendRaw } from '@petstore/test-support/raw-http';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { serveDocs } from '../src/http/docs.ts';
import { answerErrors } from '../src/http/errors.ts';
import { listen } from '../src/http/listen.ts';
import { type RunningApp, startApp } from './support/app.ts';

test('/openapi.json is the contract, with the servers of the configuration, without a key', async () => {
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
  const answer = await fetch(new URL(script, `${app.origin}/docs`));
  expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
  expect((await answer.text()).length).toBeGreaterThan(1_000_000);
});

describe('the script of /docs', () => {
  const ask = (app: RunningApp, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${app.origin}/docs/scalar.js`, { method, headers });

  test('comes as a whole, whatever a caller demands of it', async () => {
    await using app = await startApp();
    const whole = await (await ask(app)).text();
    for (const headers of [
      { 'if-match': '"x"' },
      { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
      { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { range: 'bytes=0-9' },
      { range: 'bytes=99999999-' },
      { range: 'bytes=0-9', 'if-range': '"x"' },
    ]) {
      const answer = await ask(app, headers);
      expect({ headers, status: answer.status }).toEqual({ headers, status: 200 });
      expect(await answer.text()).toBe(whole);
    }
  });

  test('is kept by the caller for an hour, and then only fetched when it has changed', async () => {
    await using app = await startApp();
    const head = await ask(app, {}, 'HEAD');
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'content-length': expect.stringMatching(/^\d{7}$/),
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(await head.text()).toBe('');
    const etag = head.headers.get('etag') ?? '';
    const [answer] = await sendRaw(
      app.origin,
      `GET /docs/scalar.js HTTP/1.1\r\nHost: a\r\nIf-None-Match: "x", ${etag}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatchObject({ status: 304, body: '' });
    expect(answer?.headers.get('etag')).toBe(etag);
  });

  test('that cannot be read is an error that nobody keeps, until it can be read', async () => {
    await using folder = await temporaryFolder();
    await using app = await startApp();
    const router = express();
    serveDocs(router, app.context.config, pathToFileURL(folder.file('scalar.js')));
    router.use(answerErrors(app.context));
    const server = createServer(router);
    const address = await listen(server, app.context.config);
    const script = new URL('/docs/scalar.js', address);
    const answer = await fetch(script);
    expect(answer.status).toBe(500);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({ code: 'internal_error', status: 500 });
    writeFileSync(folder.file('scalar.js'), '"here"');
    expect(await (await fetch(script)).text()).toBe('"here"');
    server.close();
  });
});
