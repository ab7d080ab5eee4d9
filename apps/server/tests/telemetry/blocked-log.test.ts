import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { temporaryFolder } from '@petstore/test-support/files';
import { bearer, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';

/**
 * The log lines of this many requests, 570 bytes each, overfill a pipe without a reader. Three times as many overfill a
 * socket.
 */
const REQUESTS = 180;
const CONNECTIONS = 20;

/** Sends many requests that have long log lines, and returns the different statuses of the responses. */
async function sendMany(
  { origin }: ServerProcess,
  { count = REQUESTS, requestId = 'a'.repeat(128) } = {},
): Promise<number[]> {
  const perConnection = count / CONNECTIONS;
  const request = requestHead(`GET /${'x'.repeat(256)}`, bearer(FIXED_KEY), `X-Request-Id: ${requestId}`);
  const responses = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      sendRaw(origin, request.repeat(perConnection), { count: perConnection }),
    ),
  );
  return [...new Set(responses.flat().map(({ status }) => status))];
}

/** Opens both ends of a named pipe. */
function openPipe(path: string) {
  spawnSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  return { reader, writer };
}

/** Opens the end of a pipe whose other end is closed. */
function openClosedPipe(path: string): number {
  const { reader, writer } = openPipe(path);
  closeSync(reader);
  return writer;
}

test.each<[string, (path: string) => number | 'unread']>([
  ['the disk for its log is full', () => openSync('/dev/full', 'w')],
  ['the reader of its log has closed the pipe', openClosedPipe],
  ['no process reads the socket for its log', () => 'unread'],
])('the service responds to requests and exits with 0 on SIGTERM when %s', async (_what, openLog) => {
  await using folder = await temporaryFolder();
  const log = openLog(folder.file('log'));
  await using service = await startServer({}, { log });
  if (log !== 'unread') closeSync(log);
  expect(await sendMany(service, { count: log === 'unread' ? 3 * REQUESTS : REQUESTS })).toEqual([404]);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});

test('of several services whose pipe is not read one can stop, and the others write complete lines when it is read again', async () => {
  await using folder = await temporaryFolder();
  const { reader, writer } = openPipe(folder.file('log'));
  await using stack = new AsyncDisposableStack();
  const start = async () => stack.use(await startServer({}, { log: writer }));
  const [stopping, ...services] = await Promise.all([start(), start(), start()]);
  closeSync(writer);
  const requestId = 'b'.repeat(128);
  const sendToAll = () => Promise.all(services.map((service) => sendMany(service, { requestId })));
  expect(await Promise.all([sendMany(stopping), sendToAll()])).toEqual([[404], [[404], [404]]]);
  expect(await stopping.stop()).toEqual({ code: 0, signal: null });
  let text = '';
  const stream = new Socket({ fd: reader, readable: true });
  stack.defer(() => void stream.destroy());
  stream.on('data', (chunk) => {
    text += chunk;
  });
  await sendToAll();
  const lines = () => text.split('\n').slice(0, -1);
  const written = () => lines().filter((line) => JSON.parse(line).requestId === requestId);
  await expect.poll(() => written().length).toBe(2 * services.length * REQUESTS);
  for (const service of services) expect(await service.stop()).toEqual({ code: 0, signal: null });
  for (const line of lines()) expect(JSON.parse(line)).toBeTypeOf('object');
});
