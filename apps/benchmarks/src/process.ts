import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onServerCore } from './cores.ts';
import type { Peer } from './peers.ts';

const PATIENCE_MS = 30_000;

export interface RunningServer extends AsyncDisposable {
  pid: number;
  port: number;
  /** Address of the collection. */
  pets: string;
  /** From the start of the process until a connection was taken. */
  startMs: number;
}

/** None is to outlive this process, however it ends. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a server as its own process, and waits until it takes connections. What it logs is written
 * to a file, as it would be in earnest.
 *
 * @param file its SQLite file; the log gets the same name with `.log`
 * @param environment added to what the peer is told
 * @throws Error when it ends, or does not listen in time
 */
export async function startServer(
  peer: Peer,
  file: string,
  environment: Record<string, string> = {},
): Promise<RunningServer> {
  const port = await freePort();
  const log = openSync(`${file}.log`, 'a');
  const [command, arguments_] = onServerCore(process.execPath, [peer.entry, ...peer.arguments]);
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
  try {
    const startMs = await listening(child, port, start);
    const pid = child.pid ?? 0;
    return { pid, port, pets: `http://127.0.0.1:${port}/v1/pets`, startMs, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw new Error(`${peer.name} does not start`, { cause: error });
  }
}

async function listening(child: ChildProcess, port: number, start: number): Promise<number> {
  while (performance.now() - start < PATIENCE_MS) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}`);
    if (await takesConnections(port)) return performance.now() - start;
    await sleep(1);
  }
  throw new Error(`It does not listen within ${PATIENCE_MS} ms`);
}

async function takesConnections(port: number): Promise<boolean> {
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

/** A port of the loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('No free port');
  return address.port;
}
