import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '@petstore/test-support/files';
import { findFreePort } from '@petstore/test-support/free-port';
import { CLI, FIXED_KEY } from '@petstore/test-support/server-process';
import { describe, expect, test } from 'vitest';

/** Their log lines are more than a pipe or a socket takes without a reader. */
const REQUESTS = 3_000;

/** Starts a service whose log goes to a file descriptor, or to a pipe that the test holds. */
async function startLogging(stdout: number | 'pipe', folder: { file(name: string): string }) {
  const port = await findFreePort();
  const child = spawn(process.execPath, [CLI, 'serve'], {
    env: { PORT: `${port}`, API_KEYS: FIXED_KEY, DATABASE_URL: `sqlite:${folder.file('petstore.db')}` },
    stdio: ['ignore', stdout, 'inherit'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const origin = `http://127.0.0.1:${port}`;
  const ask = async (path = '/v1/pets') => {
    const response = await fetch(origin + path, {
      headers: { authorization: `Bearer ${FIXED_KEY}` },
      signal: AbortSignal.timeout(20_000),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const service = {
    child,
    ask,
    async askOften(count = REQUESTS) {
      const statuses = new Set<number>();
      const askOn = async () => {
        for (let number = 0; number < count / 20; number += 1) statuses.add(await ask());
      };
      await Promise.all(Array.from({ length: 20 }, askOn));
      return [...statuses];
    },
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      return Promise.race([ended, sleep(20_000, 'hangs')]);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
  await using starting = new AsyncDisposableStack();
  starting.use(service);
  await expect.poll(() => ask('/readyz').catch(() => 0)).toBe(200);
  starting.move();
  return service;
}

/** Opens both ends of a named pipe. */
function openPipe(path: string) {
  spawnSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  return { reader, writer };
}

describe('the service responds to requests and exits with 0 on SIGTERM', () => {
  test('when the disk for its log is full', async () => {
    await using folder = await temporaryFolder();
    await using service = await startLogging(openSync('/dev/full', 'w'), folder);
    expect(await service.askOften()).toEqual([200]);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  test('when no process reads the pipe for its log', async () => {
    await using folder = await temporaryFolder();
    const { reader, writer } = openPipe(folder.file('log'));
    await using service = await startLogging(writer, folder);
    closeSync(writer);
    expect(await service.askOften()).toEqual([200]);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    closeSync(reader);
  });

  test('when no process reads the socket for its log', async () => {
    await using folder = await temporaryFolder();
    await using service = await startLogging('pipe', folder);
    expect(await service.askOften()).toEqual([200]);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  test('when the reader of its log has closed the pipe', async () => {
    await using folder = await temporaryFolder();
    const { reader, writer } = openPipe(folder.file('log'));
    await using service = await startLogging(writer, folder);
    closeSync(writer);
    closeSync(reader);
    expect(await service.askOften()).toEqual([200]);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });
});

test('several services write complete lines when their log is read again', async () => {
  await using folder = await temporaryFolder();
  const { reader, writer } = openPipe(folder.file('log'));
  await using stack = new AsyncDisposableStack();
  const services = await Promise.all(
    [1, 2, 3].map(async () => stack.use(await startLogging(writer, folder))),
  );
  closeSync(writer);
  await Promise.all(services.map((service) => service.askOften()));
  let text = '';
  const stream = new Socket({ fd: reader, readable: true });
  stack.defer(() => void stream.destroy());
  stream.on('data', (chunk) => {
    text += chunk;
  });
  await Promise.all(services.map((service) => service.askOften()));
  const lines = () => text.split('\n').slice(0, -1);
  await expect.poll(() => lines().length).toBeGreaterThan(6 * REQUESTS);
  for (const service of services) expect(await service.stop()).toEqual({ code: 0, signal: null });
  expect(lines().filter((line) => !isObject(line))).toEqual([]);
});

test('a second signal ends the service at once when no process reads its log', async () => {
  await using folder = await temporaryFolder();
  await using service = await startLogging('pipe', folder);
  await service.askOften();
  service.child.kill('SIGTERM');
  await sleep(50);
  expect(await service.stop()).not.toBe('hangs');
});

function isObject(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
