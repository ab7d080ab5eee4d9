import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '@petstore/test-support/files';
import {
  CLI,
  FIXED_KEY,
  runCli,
  type ServerProcess,
  startServer,
} from '@petstore/test-support/server-process';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';

const BODY = '{"name":"in flight","categoryId":1}';

async function open(server: ServerProcess): Promise<Socket> {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Sends all of a creation but its last byte. */
function beginCreation(socket: Socket) {
  socket.write(
    `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${FIXED_KEY}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, -1)}`,
  );
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

test.each([
  ['SIGTERM', '1'],
  ['SIGINT', '1'],
  ['SIGTERM', '3'],
] as const)(
  '%s with a hundred connections to %s worker(s): those in flight are answered, idle ones closed, exit code 0',
  async (signal, WORKERS) => {
    await using folder = await temporaryFolder();
    await using server = await startServer({ SHUTDOWN_GRACE_MS: '300', WORKERS }, { cwd: folder.path });
    const idle = await Promise.all(Array.from({ length: 90 }, () => open(server)));
    const busy = await Promise.all(Array.from({ length: 10 }, () => open(server)));
    busy.forEach(beginCreation);
    await new Promise((resolve) => setTimeout(resolve, 200));

    const start = performance.now();
    const ended = server.stop(signal);
    await expect.poll(async () => (await fetch(`${server.origin}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.origin}/livez`)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await expect(fetch(`${server.origin}/livez`)).rejects.toThrow();

    const answers = busy.map(readAll);
    for (const socket of busy) socket.write('}');
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 201 /);
      expect(answer).toMatch(/\r\nConnection: close\r\n/);
    }
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(5_000);
    await Promise.all(idle.map(readAll));

    await using again = await startServer({}, { cwd: folder.path });
    const pets = await (
      await fetch(`${again.baseUrl}/pets`, { headers: { authorization: `Bearer ${FIXED_KEY}` } })
    ).json();
    expect(pets).toHaveLength(10);
  },
);

test('a start that waits for the database is ended by a signal, and has nothing to stop', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('petstore.db');
  await runCli(['migrate'], { DATABASE_URL: `sqlite:${file}` });
  const other = new BetterSqlite3(file);
  other.exec('begin immediate');
  const child = spawn(process.execPath, [CLI, 'serve'], {
    env: { PORT: '0', DATABASE_URL: `sqlite:${file}` },
    stdio: 'ignore',
  });
  await sleep(2_000);
  const start = performance.now();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(performance.now() - start).toBeLessThan(1_000);
  other.close();
});

test('a terminal that is closed stops the service as SIGTERM does', async () => {
  await using folder = await temporaryFolder();
  await using server = await startServer({}, { cwd: folder.path });
  expect(await server.stop('SIGHUP')).toEqual({ code: 0, signal: null });
});

test('a second signal stops at once, though a request hangs', async () => {
  await using folder = await temporaryFolder();
  await using server = await startServer({}, { cwd: folder.path });
  const socket = await open(server);
  socket.on('error', () => {});
  beginCreation(socket);
  await new Promise((resolve) => setTimeout(resolve, 100));
  server.child.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(server.child.exitCode).toBe(null);
  expect((await server.stop('SIGTERM')).code).toBe(1);
});

test.each([
  ['at once', 0],
  ['after a while', 100],
])(
  'a request on a kept connection, sent %s, is answered, and told when it is the last',
  async (_when, pauseMs) => {
    await using folder = await temporaryFolder();
    await using server = await startServer({}, { cwd: folder.path });
    const callers = Array.from({ length: 50 }, () => callUntilRefused(server.origin, pauseMs));
    await sleep(500);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    for (const { answers, end } of await Promise.all(callers)) {
      expect(end).toBe('ECONNREFUSED');
      expect(answers.at(-1)).toBe('close');
      expect(answers.slice(0, -1)).not.toContain('close');
      expect(answers.length).toBeGreaterThan(1);
    }
  },
);

/** Calls on a connection that it keeps while it may, with pauses of random length, until something fails. */
async function callUntilRefused(origin: string, pauseMs: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: unknown[] = [];
  for (;;) {
    try {
      const [answer] = await once(get(`${origin}/livez`, { agent }), 'response');
      answers.push(answer.headers.connection);
      await once(answer.resume(), 'end');
    } catch (error) {
      agent.destroy();
      return { answers, end: error instanceof Error && 'code' in error ? error.code : error };
    }
    await sleep(pauseMs * Math.random());
  }
}
