import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startShell } from '@petstore/test-support/programs';
import { openSocket, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { API_KEY, useApp, userHeader, variables } from './support/app.ts';

const app = await useApp();
const CLI = `${import.meta.dirname}/../dist/cli.js`;

const startProcess = (environment: Record<string, string> = {}) =>
  startServer({ ...variables, PETSTORE_BASE_URL: app.petStoreUrl, ...environment }, { command: [CLI] });

test('the built app serves its files, keeps a connection for longer than the minute of a proxy, and after SIGTERM finishes a request that takes its time limit', async () => {
  // An empty variable counts as missing, so the time limit is the default.
  await using catalogue = await startProcess({ PETSTORE_TIMEOUT_MS: '' });
  const files = ['style.css', 'icon.svg', 'none.js'];
  const requests = files.map((file) => app.request(`/assets/${file}`, { to: catalogue.origin }));
  const responses = await Promise.all(requests);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 404]);
  expect(responses[0]?.headers.get('keep-alive')).toBe('timeout=65');
  const arrived = app.hang();
  const response = app.request('/animals', { to: catalogue.origin });
  await arrived;
  const stopped = catalogue.stop('SIGTERM');
  await expect.poll(() => catalogue.output()).toContain('Stopping');
  expect((await response).status).toBe(503);
  const start = performance.now();
  expect((await stopped).code).toBe(0);
  // The process closes idle connections. Otherwise they would last until `STOP_MS`, 14 seconds after the response.
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('a page whose user has left is finished and logged after SIGTERM', async () => {
  await using catalogue = await startProcess();
  const user = await openSocket(catalogue.origin);
  app.setFault(async () => {
    user.destroy();
    await sleep(2_000);
    return Response.json([]);
  });
  user.write(requestHead('GET /animals', 'X-Forwarded-User: a'));
  await once(user, 'close');
  expect((await catalogue.stop('SIGTERM')).code).toBe(0);
  expect(catalogue.output()).toContain('"route":"/animals"');
});

test.each([
  { log: 'disk', openLog: 'exec 3>/dev/full', end: 0 },
  // A pipe holds 65,536 bytes. The app ends itself by SIGKILL, because a thread waits to write to the pipe.
  { log: 'pipe', openLog: 'mkfifo pipe; exec 3<>pipe; head -c 65536 /dev/zero >&3', end: 'SIGKILL' },
])('a probe may lack Host, and SIGTERM ends an app whose log is a full $log', async ({ openLog, end }) => {
  const PORT = `${await findFreePort()}`;
  const environment = { ...variables, PETSTORE_BASE_URL: app.petStoreUrl, PORT };
  const command = `${openLog}; exec node '${CLI}' >&3`;
  await using catalogue = startShell(command, { environment, cwd: app.folder.path });
  const probe = () => sendRaw(`http://127.0.0.1:${PORT}`, 'GET /healthz HTTP/1.0\r\n\r\n');
  await expect.poll(async () => (await probe())[0]?.status).toBe(200);
  expect(await catalogue.end('SIGTERM')).toBe(end);
});

test('the log has not even the end of an API key, wherever a caller writes one', async () => {
  const PETSTORE_API_KEY_FILE = app.folder.file('key');
  writeFileSync(PETSTORE_API_KEY_FILE, `${API_KEY}\n`);
  const environment = { PETSTORE_API_KEY: '', PETSTORE_API_KEY_FILE, LOG_FORMAT: 'json' };
  await using catalogue = await startProcess(environment);
  const writeKeyEverywhere = async (key: string) => {
    const options = { headers: { 'X-Request-Id': key, ...userHeader(key) }, to: catalogue.origin };
    const encoded = `/%${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
    const queries = [`/animals?number=${key}`, `/animals/new?key=${key}`];
    for (const path of [`/animals/${key}`, `/${key}`, encoded, ...queries])
      for (const method of ['GET', 'POST']) await app.request(path, { method, ...options });
  };
  const [issued, rotated] = [`pst_${'x'.repeat(38)}`, 'pst_another-key-of-the-catalogue'];
  await writeKeyEverywhere(issued);
  await writeKeyEverywhere(API_KEY);
  writeFileSync(PETSTORE_API_KEY_FILE, rotated);
  await writeKeyEverywhere(rotated);
  // During a rotation the file may be empty for a moment. The log still gets lines.
  writeFileSync(PETSTORE_API_KEY_FILE, '');
  await app.request('/animals', { headers: { 'X-Request-Id': 'the-last' }, to: catalogue.origin });
  await expect.poll(catalogue.output).toContain('the-last');
  for (const route of ['/animals/:id', '/animals/new', '/*'])
    expect(catalogue.output()).toContain(`"route":"${route}"`);
  for (const key of [issued, API_KEY, rotated]) expect(catalogue.output()).not.toContain(key.slice(-12));
});

test('with LOG_FORMAT=text, people can read a line for each request and each retry, without control characters', async () => {
  await using catalogue = await startProcess({ LOG_FORMAT: 'text', LOG_LEVEL: 'debug' });
  app.setFault(app.loseResponse);
  // A terminal would obey U+009B, and write in red.
  const headers = userHeader('A\u009b31m');
  expect((await app.request('/animals', { headers, to: catalogue.origin })).status).toBe(503);
  const failure = / ERROR: GET \/animals 503 \d+ ms \{"requestId":.*"error":"No response to listPets/;
  await expect.poll(catalogue.output).toMatch(failure);
  expect(catalogue.output()).toMatch(/"user":"A\ufffd31m"/);
  expect(catalogue.output().match(/ DEBUG: Retrying /g)).toHaveLength(2);
  const logLine = /^\[\d\d:\d\d:\d\d\.\d{3}\] [A-Z]+: /;
  for (const line of catalogue.output().trim().split('\n')) expect(line).toMatch(logLine);
});

test('a start that fails ends with one line and code 1', async () => {
  const end = /ended with 1: catalogue: .*EADDRNOTAVAIL.*\n$/;
  await expect(startProcess({ HOST: '203.0.113.1' })).rejects.toThrow(end);
  const withHelp = startServer(variables, { command: [CLI, '--help'] });
  await expect(withHelp).rejects.toThrow(/ended with 1: catalogue: takes no arguments: .* README\n$/);
});

const REQUIRED = { PETSTORE_BASE_URL: 'http://pets.example/v1', PETSTORE_API_KEY: 'key' };

test.each([
  [{ PETSTORE_BASE_URL: '' }, 'PETSTORE_BASE_URL is required'],
  [{ PETSTORE_BASE_URL: 'pets.example/v1' }, 'PETSTORE_BASE_URL must be an http(s) URL that ends with /v1'],
  [{ PETSTORE_API_KEY: '' }, 'PETSTORE_API_KEY or PETSTORE_API_KEY_FILE is required, and not both'],
  [{ PETSTORE_API_KEY_FILE: CLI }, 'PETSTORE_API_KEY or PETSTORE_API_KEY_FILE is required, and not both'],
  [{ PETSTORE_API_KEY_FILE: '/' }, 'PETSTORE_API_KEY_FILE must be a file'],
  [{ PETSTORE_API_KEY_FILE: '/none' }, /^PETSTORE_API_KEY_FILE must be a file that can be read: ENOENT$/],
  // Not even root can read this file.
  [{ PETSTORE_API_KEY_FILE: '/proc/self/mem' }, /^PETSTORE_API_KEY_FILE must be .* read: EIO$/],
  [{ PETSTORE_API_KEY_FILE: 'x'.repeat(256) }, /^PETSTORE_API_KEY_FILE must be .* read: ENAMETOOLONG$/],
  [{ PORT: '65536' }, 'PORT must be an integer from 0 to 65535'],
  [{ PORT: ' ' }, 'PORT must be an integer from 0 to 65535'],
  [{ PETSTORE_TIMEOUT_MS: '15001' }, 'PETSTORE_TIMEOUT_MS must be an integer from 1 to 15000'],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES must be addresses or networks'],
  [{ TRUSTED_USER_HEADER: 'a b' }, 'TRUSTED_USER_HEADER must be the name of a header'],
  [{ CATEGORIES_FILE: '/none' }, 'CATEGORIES_FILE /none must be JSON'],
])('readConfig refuses %o with the name of the variable and what is allowed', (environment, message) => {
  expect(() => readConfig({ ...REQUIRED, ...environment })).toThrow(message);
});

const wrong = ['[]', '{"7": "Dogs",\n', '{"seven": "Dogs"}', '{"7": " \\u200b"}', '{"7": "Bär"}'];
test.each(wrong)('the categories %s are refused in one line with the name of the file', async (content) => {
  const CATEGORIES_FILE = app.folder.file('categories.json');
  writeFileSync(CATEGORIES_FILE, content, 'latin1'); // In UTF-8, ä would be valid.
  const message = /^CATEGORIES_FILE \/.*categories\.json must be JSON with a name for each number.*$/;
  expect(() => readConfig({ ...REQUIRED, CATEGORIES_FILE })).toThrow(message);
});
