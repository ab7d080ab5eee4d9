import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { countPets } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { creationBytes } from '@petstore/test-support/pet-store-http';
import { startProgram, startShell } from '@petstore/test-support/programs';
import { openSocket, readResponses, requestHead } from '@petstore/test-support/raw-http';
import { listen } from '@petstore/test-support/servers/listen';
import { CLI, FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { limits } from '../../src/http/limits.ts';

/** Sends a creation without the last byte of its body, and waits until the server reads the body. */
async function beginCreation(origin: string): Promise<Socket> {
  const socket = await openSocket(origin);
  socket.write(creationBytes(FIXED_KEY).replace('Host:', 'Expect: 100-continue\r\nHost:').slice(0, -1));
  await once(socket, 'readable');
  expect(String(socket.read())).toContain('HTTP/1.1 100 Continue');
  return socket;
}

// The concurrent tests mostly wait.
test.concurrent('SIGTERM closes idle connections, lets requests in flight end and exits with 0', async ({
  expect,
}) => {
  await using folder = await temporaryFolder();
  // Longer than `endMs`: if the time until a SIGKILL began with the signal, the server would be killed in this grace.
  const SHUTDOWN_GRACE_MS = `${limits.endMs + 1_000}`;
  await using server = await startServer({ SHUTDOWN_GRACE_MS }, { cwd: folder.path });
  const busy = await Promise.all(Array.from({ length: 10 }, () => beginCreation(server.origin)));
  const idle = await Promise.all(Array.from({ length: 90 }, () => openSocket(server.origin)));

  const ended = server.stop('SIGTERM');
  await expect.poll(async () => (await fetch(`${server.origin}/readyz`)).status).toBe(503);
  expect((await fetch(`${server.origin}/livez`)).status).toBe(200);
  await expect.poll(() => fetch(`${server.origin}/livez`).catch(() => 'refused')).toBe('refused');
  expect((await Promise.all(idle.map((socket) => readResponses(socket)))).flat()).toEqual([]);

  const responses = busy.map((socket) => readResponses(socket));
  // A request waits behind each creation. Only its response ends the connection.
  for (const socket of busy) socket.write(`}${requestHead('GET /livez')}`);
  for (const both of await Promise.all(responses)) {
    expect(both.map(({ status }) => status)).toEqual([201, 200]);
    expect(both.map(({ headers }) => headers.get('connection'))).toEqual(['keep-alive', 'close']);
  }
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(countPets(folder.file('data/petstore.db'))).toBe(10);
});

test.concurrent('a start that waits for the database ends with code 0 after a signal', async ({ expect }) => {
  const { promise: connected, resolve: connect } = Promise.withResolvers<unknown>();
  await using silent = await listen(createServer(connect));
  const DATABASE_URL = silent.origin.replace('http:', 'postgres:');
  const { child, ended } = startProgram([CLI, 'serve'], { environment: { PORT: '0', DATABASE_URL } });
  await connected;
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, stdout: '', stderr: '' });
});

test.concurrent.each([
  // A FIFO without a writer blocks a thread of Node, like a hanging disk. SIGKILL must wait for slow log writes.
  ['a thread', 'fs.open("fifo","r",()=>{});const{write}=fs;fs.write=(...a)=>setTimeout(write,9,...a)', null],
  // The log is closed before, and the first process of a container cannot kill itself with a signal.
  ['a module', 'process.kill=()=>true;isMainThread&&setInterval(()=>{},9)', 1],
])('a process that %s keeps from ending is killed, and the log says so', async (_what, program, code) => {
  await using folder = await temporaryFolder();
  execFileSync('mkfifo', [folder.file('fifo')]);
  const imports = 'import fs from"node:fs";import{isMainThread}from"node:worker_threads";';
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(imports + program)}`;
  await using server = await startServer({ NODE_OPTIONS }, { cwd: folder.path });
  expect(await server.stop()).toEqual({ code, signal: code === null ? 'SIGKILL' : null });
  expect(server.output()).toContain('The process cannot end and is killed');
});

test.concurrent('a terminal that closes ends the server, even if its output is piped', async ({ expect }) => {
  await using folder = await temporaryFolder();
  const SERVE = `'${process.execPath}' '${CLI}' serve | cat`;
  const options = { environment: { PORT: '0', SERVE }, cwd: folder.path };
  // The terminal in which `script` runs the server closes when `script` ends.
  await using terminal = startShell('exec script -qec "$SERVE" /dev/null', options);
  const address = () => /"address":"([^"]+)"/.exec(terminal.output())?.[1] ?? '';
  await expect.poll(address).not.toBe('');
  await terminal.end('SIGKILL');
  await expect.poll(() => fetch(address()).catch(() => 'refused')).toBe('refused');
});

const asFirstProcess = { NODE_OPTIONS: '--import=data:text/javascript,process.kill=()=>true' };

test.each([
  ['a process', {}, { code: null, signal: 'SIGKILL' }],
  ['the first process of a container', asFirstProcess, { code: 1, signal: null }],
])('a second signal ends %s at once, even if a request is in flight', async (_what, environment, end) => {
  await using server = await startServer(environment);
  await beginCreation(server.origin);
  server.child.kill('SIGTERM');
  await expect.poll(() => server.output()).toContain('"msg":"Stopping"');
  expect(server.child.exitCode).toBe(null);
  expect(await server.stop('SIGTERM')).toEqual(end);
});

test('SIGHUP without a terminal is ignored, and at SIGINT connections that only the kernel has accepted get responses', async () => {
  await using server = await startServer();
  // As under nohup.
  server.child.kill('SIGHUP');
  expect((await fetch(`${server.origin}/livez`)).status).toBe(200);

  // A stopped process accepts no connections, but the kernel does. Later, each turn of the event loop accepts one.
  server.child.kill('SIGSTOP');
  const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(server.origin)));
  for (const socket of sockets) socket.write(requestHead('GET /livez'));
  const accepted = sockets.map((socket) => readResponses(socket));
  const ended = server.stop('SIGINT');
  server.child.kill('SIGCONT');

  for (const [response] of await Promise.all(accepted)) expect(response?.status).toBe(200);
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(server.output()).toContain('"signal":"SIGINT"');
});
