import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { temporaryFolder } from '@petstore/test-support/files';
import { startProgram } from '@petstore/test-support/programs';
import { bearer, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';

/** The log lines of all requests, 570 bytes each, overfill the 64 KiB of a pipe and the 208 KiB of a socket without a reader. */
const REQUESTS = 540;
const CONNECTIONS = 20;

/** Sends requests that have long log lines, and returns the different statuses of the responses. */
async function sendMany({ origin }: ServerProcess, requestId = 'a'.repeat(128)): Promise<number[]> {
  const perConnection = REQUESTS / CONNECTIONS;
  const request = requestHead(`GET /${'x'.repeat(256)}`, bearer(FIXED_KEY), `X-Request-Id: ${requestId}`);
  const send = () => sendRaw(origin, request.repeat(perConnection), { count: perConnection });
  const responses = await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return [...new Set(responses.flat().map(({ status }) => status))];
}

function openPipe(path: string) {
  spawnSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  return { reader, writer };
}

test.each<[what: string, openLog: (path: string) => number | 'unread']>([
  ['the disk for its log is full', () => openSync('/dev/full', 'w')],
  [
    'the reader of its log has closed the pipe',
    (path) => {
      const { reader, writer } = openPipe(path);
      closeSync(reader);
      return writer;
    },
  ],
  ['no process reads the socket for its log', () => 'unread'],
])('the service responds to requests and exits with 0 on SIGTERM when %s', async (_what, openLog) => {
  await using folder = await temporaryFolder();
  const log = openLog(folder.file('log'));
  await using service = await startServer({}, { log });
  if (log !== 'unread') closeSync(log);
  expect(await sendMany(service)).toEqual([404]);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});

test('of two services with one unread pipe, one can stop, and the other writes complete lines once the pipe is read', async () => {
  await using folder = await temporaryFolder();
  const { reader, writer } = openPipe(folder.file('log'));
  await using stack = new AsyncDisposableStack();
  const start = async () => stack.use(await startServer({}, { log: writer }));
  const [stopping, service] = await Promise.all([start(), start()]);
  closeSync(writer);
  const requestId = 'b'.repeat(128);
  expect(await Promise.all([sendMany(stopping), sendMany(service, requestId)])).toEqual([[404], [404]]);
  expect(await stopping.stop()).toEqual({ code: 0, signal: null });
  const chunks: unknown[] = [];
  const stream = new Socket({ fd: reader, readable: true });
  stack.defer(() => void stream.destroy());
  stream.on('data', (chunk) => chunks.push(chunk));
  await sendMany(service, requestId);
  const lines = () => chunks.join('').split('\n').slice(0, -1);
  // `JSON.parse` throws at a line that is not complete.
  const written = () => lines().filter((line) => JSON.parse(line).requestId === requestId);
  await expect.poll(() => written().length).toBe(2 * REQUESTS);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});

test('a bug ends the service with code 1 and a line in its log, also when no process reads the log', async () => {
  const fault = `process.nextTick(() => { throw new Error('A fault in a test'); });`;
  const bug = `process.once('SIGUSR2', () => { ${fault.repeat(2)} })`;
  const environment = { NODE_OPTIONS: `--import data:text/javascript,${encodeURI(bug)}` };
  await using service = await startServer(environment);
  await using unread = await startServer(environment, { log: 'unread' });
  await sendMany(unread);
  for (const each of [service, unread]) expect(await each.stop('SIGUSR2')).toEqual({ code: 1, signal: null });
  await expect.poll(service.output).toMatch(/"message":"A fault in a test".*"msg":"A bug ends the process"/);
  // If the service did not catch the second fault, Node would write it to standard error, and end the process at once.
  expect(unread.output()).toBe('');
});

test('the log is appended to a file that a shell has opened for appending', async () => {
  await using folder = await temporaryFolder();
  const shell = ['-c', 'echo earlier >log; exec "$@" >>log', 'sh']; // `unread`, because the log goes to the file.
  await using service = await startServer({}, { cwd: folder.path, log: 'unread', shell });
  await service.stop();
  expect(readFileSync(folder.file('log'), 'utf8')).toMatch(/^earlier\n\{.*"signal":"SIGTERM"/s);
});

test('each time that lines come faster than they are read, a line counts those that were dropped', async () => {
  // A flood has more than the 4 MiB that may wait to be written.
  const program = `
    import { openLog } from '${new URL('../../src/telemetry/log.ts', import.meta.url)}';
    const { logger } = await openLog({ level: 'info', format: 'json', redact: (line) => line });
    const flood = () => { for (let number = 0; number < 4_500; number += 1) logger.info('x'.repeat(1_000)); };
    setInterval(() => {}, 1_000);
    process.on('SIGUSR2', flood);
    flood();`;
  const { child } = startProgram(['--input-type=module', '--eval', program]);
  const chunks: unknown[] = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  const lines = () => chunks.join('').split('\n').slice(0, -1);
  const dropped = () => lines().flatMap((line) => JSON.parse(line).dropped ?? []);
  await expect.poll(() => dropped().length).toBe(1);
  child.kill('SIGUSR2');
  await expect.poll(() => dropped().length).toBe(2);
  child.kill();
  const [first, second] = dropped();
  expect(lines().length - 2 + first + second).toBe(2 * 4_500); // Two lines are the counts themselves.
});

test('a closed log leaves no timer, which would delay the end of the process', async () => {
  const program = `
    import { openLog } from '${new URL('../../src/telemetry/log.ts', import.meta.url)}';
    await (await openLog({ level: 'info', format: 'json', redact: (line) => line }))[Symbol.asyncDispose]();
    process.exitCode = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;`;
  expect(await startProgram(['--input-type=module', '--eval', program]).ended).toMatchObject({ code: 0 });
});
