import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '@petstore/test-support/databases/postgres-server';
import { creationBytes, creationHead, parseError } from '@petstore/test-support/pet-store-http';
import { bearer, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { startWriters } from '@petstore/test-support/writers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Backend, checkHaproxy, type Program, startHaproxy, startNginx } from './programs.ts';

/** Text in requests that must not reach a log. */
const SECRET = 'a-secret-that-no-log-may-have';

const request = (line: string, ...headers: string[]) =>
  requestHead(line, bearer(FIXED_KEY), 'Connection: close', ...headers);

/** Requests that a proxy or a server refuses, with the statuses that either may return. */
const refused: [what: string, bytes: string, statuses: number[]][] = [
  ['a request line that is not HTTP', `nonsense ${SECRET}\r\n\r\n`, [400]],
  ['a NUL in a header', request('GET /v1/pets', `X-Broken: ${SECRET}\0`), [400]],
  ['headers of 17 kB', request('GET /v1/pets', `X-Long: ${'x'.repeat(17_000)}`), [400, 431]],
  ['headers of 70 kB', request('GET /v1/pets', `X-Long: ${'x'.repeat(70_000)}`), [400, 431]],
  ['a URL of 17 kB', request(`GET /v1/pets?${'x'.repeat(17_000)}`), [400, 414, 431]],
  ['a broken percent-encoding', request(`GET /v1/pets/%zz?key=${SECRET}`), [400, 404]],
  ['a transfer coding that is not known', creationHead(FIXED_KEY, 'Transfer-Encoding: zip'), [400, 501]],
  ['a malformed version of HTTP', request('GET /v1/pets').replace('1.1', '3x'), [400, 505]],
  ['a body that is too large', creationBytes(FIXED_KEY, JSON.stringify('x'.repeat(2_000_000))), [413]],
  ['a path that does not exist', request(`GET /${SECRET}`), [404]],
];

describe.each([
  { name: 'HAProxy', start: startHaproxy, outageStatuses: [503] },
  { name: 'nginx', start: startNginx, outageStatuses: [502, 503] },
])('behind $name', ({ start, outageStatuses }) => {
  let backends: [Backend, Backend];
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let servers: ServerProcess[];
  let proxy: Program;
  /** The ids of requests that failed. */
  const ids: string[] = [];

  const startBackend = ({ port, adminPort }: Backend) => {
    const environment = { DATABASE_URL: postgres.url, ADMIN_PORT: `${adminPort}`, SHUTDOWN_GRACE_MS: '3000' };
    return startServer(environment, { port, log: 'silent' });
  };
  const origin = () => `http://127.0.0.1:${proxy.port}`;
  const get = (path: string, headers = {}) => fetchWithKey(origin(), FIXED_KEY)(path, { headers });
  const status = async () => (await get('/v1/pets')).status;
  const connectFrom = (localAddress: string) =>
    connect({ host: '127.0.0.1', port: proxy.port, localAddress }).on('error', () => {});

  beforeAll(async () => {
    postgres = await startPostgres();
    const newBackend = async () => ({ port: await findFreePort(), adminPort: await findFreePort() });
    backends = [await newBackend(), await newBackend()];
    servers = await Promise.all(backends.map(startBackend));
    proxy = await start(backends);
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 20_000 });
  });

  afterAll(async () => {
    for (const program of [proxy, ...servers, postgres]) await program[Symbol.asyncDispose]();
  });

  /** Asserts that a response is an error in the form of the service. */
  async function expectError(statuses: number[]): Promise<void> {
    const creation = creationBytes(FIXED_KEY).replace('/v1/pets', `/v1/pets?key=${SECRET}`);
    const [response] = await sendRaw(origin(), creation, { count: 1 });
    const error = parseError(response);
    expect(statuses).toContain(error.status);
    ids.push(response?.headers.get('x-request-id') ?? '');
    if (error.status === 503) expect(Number(response?.headers.get('retry-after'))).toBeGreaterThan(0);
  }

  /** Asserts errors for four seconds: longer than a proxy takes to notice that a server has failed. */
  async function expectErrors(statuses: number[]): Promise<void> {
    for (const end = performance.now() + 4_000; performance.now() < end; await sleep(100))
      await expectError(statuses);
  }

  test('the configuration gives no warning', () => {
    expect(proxy.warnings).toBe('');
  });

  test.each(refused)('%s gets an Error body', async (_name, bytes, statuses) => {
    const [response] = await sendRaw(origin(), bytes, { count: 1 });
    expect(statuses).toContain(parseError(response).status);
  });

  test('HTTP/1.0 without Host and 95 headers pass, and a request keeps its id if the server would', async () => {
    expect(await sendRaw(origin(), 'GET /livez HTTP/1.0\r\n\r\n')).toMatchObject([{ status: 200 }]);
    // With the headers that `fetch` adds, they exceed 101: the default limit of HAProxy.
    const names = Array.from({ length: 95 }, (_, index) => [`x-header-${index}`, 'a']);
    const send = (id: string) => get('/v1/pets', { ...Object.fromEntries(names), 'x-request-id': id });
    const { status, headers } = await send('of-caller');
    expect([status, headers.get('x-request-id')]).toEqual([200, 'of-caller']);
    // HAProxy's `req.hdr` would read two ids, of which one has the right form.
    expect((await send('of-caller, b ad')).headers.get('x-request-id')).toMatch(/^[\da-f-]{32,}$/);
  });

  test('two IP addresses that do not read large files leave connections to the servers for other callers', async () => {
    const [path] = /docs\/scalar[^"]*/.exec(await (await get('/docs')).text()) ?? expect.fail('no script');
    // 480 connections exceed HAProxy's 400 to both servers, but each address stays below its limit of 250.
    const sockets = Array.from({ length: 480 }, (_, index) => connectFrom(`127.0.0.${2 + (index % 2)}`));
    for (const socket of sockets) socket.write(requestHead(`GET /${path}`));
    // By then the proxy has opened its connections to the servers.
    await sleep(2_000);
    expect(await status()).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  // HAProxy limits the connections of an IP address instead.
  if (start === startNginx) {
    test('an IP address with ten unfinished requests without a key gets 429', async () => {
      const unfinished = requestHead('POST /v1/pets', 'Content-Length: 9');
      const sockets = Array.from({ length: 10 }, () => connectFrom('127.0.0.1'));
      for (const socket of sockets) socket.write(unfinished);
      await sleep(500); // The proxy must read these requests before the next one.
      const [response] = await sendRaw(origin(), unfinished, { count: 1 });
      for (const socket of sockets) socket.destroy();
      expect(parseError(response)).toMatchObject({ status: 429 });
      expect(response?.headers.get('retry-after')).toBe('1');
    });
  } else {
    test('many responses 401 end the connections of an IP address', async () => {
      // Only the first refusal is logged.
      for (let connection = 0; connection < 2; connection += 1) {
        const socket = connectFrom('127.0.0.4').resume();
        socket.write(requestHead('GET /v1/pets').repeat(250));
        await expect.poll(() => socket.closed).toBe(true);
      }
    });
  }

  test('a restart of one server after the other fails no request', async () => {
    await using writers = startWriters(origin(), { count: 16 });
    for (const [index, backend] of backends.entries()) {
      await servers[index]?.stop();
      servers[index] = await startBackend(backend);
      // The proxy notices within two seconds that this server is ready, before the other one stops.
      await sleep(2_000);
    }
    await writers.end();
    expect(writers.creations.length).toBeGreaterThan(100);
    expect(writers.creations.filter(({ ids }) => ids.length === 0)).toEqual([]);
  });

  test('with PostgreSQL stopped, each response is an Error body', async () => {
    await postgres.kill();
    await expect.poll(status).toBe(503);
    await expectErrors([503]);
    await postgres.start();
    await expect.poll(status).toBe(200);
  });

  test('with servers that hang, each response is an Error body', async () => {
    for (const { child } of servers) child.kill('SIGSTOP');
    // Several at once, because nginx responds 502 to some, and 504 to others.
    const call = () => expectError([502, 503, 504]);
    await Promise.all([call(), call(), call()]);
    for (const { child } of servers) child.kill('SIGCONT');
    await expect.poll(status).toBe(200);
  });

  test('with both servers stopped, each response is an Error body', async () => {
    for (const server of servers) await server.stop('SIGKILL');
    await expectErrors(outageStatuses);
  });

  if (start === startHaproxy)
    test('the log has only the first of the refusals of an IP address', async () => {
      expect((await proxy.readLog()).match(/^127\.0\.0\.4:.* PR/gm)).toHaveLength(1); // PR: the proxy refused it.
    });

  test('the log has the method and id of each request that failed, and nothing that a caller put into a URL', async () => {
    const log = await proxy.readLog();
    expect(ids).not.toEqual([]);
    for (const id of ids) expect(log).toMatch(RegExp(` POST 50[234] ${id} `));
    expect(log).not.toContain(SECRET);
    expect(log).not.toMatch(/ {2}[45]\d\d /); // nginx has read no method of some requests that it refuses.
  });
});

test('HAProxy refuses to start with a server or a user that does not exist, except servers of Docker', () => {
  const variables = [{ SERVER_ONE: 'none.invalid:1', SERVER_TWO: '127.0.0.1:1' }, { RUN_AS: 'no-user' }, {}];
  expect(variables.map((environment) => checkHaproxy(environment).status)).toEqual([1, 1, 0]);
});
