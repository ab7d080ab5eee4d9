import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { temporaryFolder } from '@petstore/test-support/files';
import { bearer, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';

/** The log lines of this many requests overfill a pipe without a reader. Three times as many overfill a socket. */
const REQUESTS = 500;
const CONNECTIONS = 20;

const REQUEST = requestHead('GET /v1/pets', bearer(FIXED_KEY));

/** Sends many requests, and returns the different statuses of the responses. */
async function sendMany({ origin }: ServerProcess, count = REQUESTS): Promise<number[]> {
  const perConnection = count / CONNECTIONS;
  const responses = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      sendRaw(origin, REQUEST.repeat(perConnection), { count: perConnection }),
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
  ['no process reads the pipe for its log', (path) => openPipe(path).writer],
  ['the reader of its log has closed the pipe', openClosedPipe],
  ['no process reads the socket for its log', () => 'unread'],
])('the service responds to requests and exits with 0 on SIGTERM when %s', async (_what, openLog) => {
  await using folder = await temporaryFolder();
  const log = openLog(folder.file('log'));
  await using service = await startServer({}, { log });
  if (log !== 'unread') closeSync(log);
  expect(await sendMany(service, log === 'unread' ? 3 * REQUESTS : REQUESTS)).toEqual([200]);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});

test('several services write complete lines when their log is read again', async () => {
  await using folder = await temporaryFolder();
  const { reader, writer } = openPipe(folder.file('log'));
  await using stack = new AsyncDisposableStack();
  const services = await Promise.all(
    [1, 2, 3].map(async () => stack.use(await startServer({}, { log: writer }))),
  );
  closeSync(writer);
  await Promise.all(services.map((service) => sendMany(service)));
  let text = '';
  const stream = new Socket({ fd: reader, readable: true });
  stack.defer(() => void stream.destroy());
  stream.on('data', (chunk) => {
    text += chunk;
  });
  await Promise.all(services.map((service) => sendMany(service)));
  const lines = () => text.split('\n').slice(0, -1);
  await expect.poll(() => lines().length).toBeGreaterThan(2 * services.length * REQUESTS);
  for (const service of services) expect(await service.stop()).toEqual({ code: 0, signal: null });
  for (const line of lines()) expect(JSON.parse(line)).toBeTypeOf('object');
});

test('a second signal ends the service at once when no process reads its log', async () => {
  await using service = await startServer({}, { log: 'unread' });
  await sendMany(service, 3 * REQUESTS);

  service.child.kill('SIGTERM');

  // The kernel may merge the two signals into one, after which the service exits with 0.
  expect([
    { code: null, signal: 'SIGKILL' },
    { code: 0, signal: null },
  ]).toContainEqual(await service.stop());
});
