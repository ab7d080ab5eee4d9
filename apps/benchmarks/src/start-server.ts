import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { onServerCore } from './cores.ts';
import type { Peer } from './peers.ts';

const START_TIMEOUT_MS = 30_000;

export interface RunningServer extends AsyncDisposable {
  pid: number;
  port: number;
  /** URL of the collection. */
  petsUrl: string;
  /** From the start of the process until it accepted a connection. */
  startMs: number;
  /**
   * Ends it with SIGTERM, after the requests in progress.
   *
   * @throws Error when it ends with another code than 0
   */
  stop(): Promise<void>;
}

/** Servers that must not outlive this process, however it ends. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a server as a process of its own and waits until it accepts connections. Its log goes to a file,
 * as it would in production.
 *
 * @param file its SQLite file; the log has the same name with `.log`
 * @param environment variables beside those of the peer; `PORT` is the port @default a free one
 * @param place the command line that runs a program on certain cores @default on the server's core
 * @throws Error when the server ends, or does not listen in time
 */
export async function startServer(
  peer: Peer,
  file: string,
  environment: Record<string, string> = {},
  place = onServerCore,
): Promise<RunningServer> {
  const port = environment.PORT === undefined ? await findFreePort() : Number(environment.PORT);
  const log = openSync(`${file}.log`, 'a');
  const [command, arguments_] = place(process.execPath, [peer.entry, ...peer.arguments]);
  const start = performance.now();
  const child = spawn(command, arguments_, {
    env: { PATH: process.env.PATH, ...peer.environment(port, file), ...environment },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  running.add(child);
  const ended = once(child, 'exit');
  const dispose = async () => {
    child.kill('SIGKILL');
    await ended;
    running.delete(child);
  };
  const stop = async () => {
    child.kill('SIGTERM');
    const [code] = await ended;
    running.delete(child);
    if (code !== 0) throw new Error(`${peer.name} ended with ${code}`);
  };
  try {
    const startMs = await waitUntilListening(child, port, start);
    const petsUrl = `http://127.0.0.1:${port}/v1/pets`;
    return { pid: child.pid ?? 0, port, petsUrl, startMs, stop, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw new Error(`${peer.name} does not start`, { cause: error });
  }
}

async function waitUntilListening(child: ChildProcess, port: number, start: number): Promise<number> {
  while (performance.now() - start < START_TIMEOUT_MS) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}`);
    if (await acceptsConnections(port)) return performance.now() - start;
    await sleep(1);
  }
  throw new Error(`It does not listen within ${START_TIMEOUT_MS} ms`);
}

async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
