import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, isListening } from '@petstore/test-support/servers/free-port';
import type { Peer } from './peers.ts';
import { onServerCore } from './processes.ts';
import { API_KEY } from './seed.ts';

const START_TIMEOUT_MS = 30_000;

/**
 * Starts a server as a process of its own and waits until it accepts connections.
 * @returns the server, and how many milliseconds its start took. Disposing the result kills the server
 * @throws Error when the server ends, or does not listen in time
 */
export async function startServer(peer: Peer, databaseUrl: string, logFile: string) {
  const port = await findFreePort();
  const log = openSync(logFile, 'a');
  const [command, arguments_] = onServerCore(process.execPath, peer.command);
  const start = performance.now();
  const child = spawn(command, arguments_, {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      API_KEYS: API_KEY,
      PORT: `${port}`,
      DATABASE_URL: databaseUrl,
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  // Kills the server when this process exits. measure.ts turns SIGINT and SIGTERM into an exit.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit').finally(() => process.off('exit', kill));
  const server = {
    pid: child.pid ?? 0,
    port,
    petsUrl: `http://127.0.0.1:${port}/v1/pets`,
    async [Symbol.asyncDispose]() {
      kill();
      await ended;
    },
  };
  while (!(await isListening(port))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || performance.now() - start > START_TIMEOUT_MS) {
      await server[Symbol.asyncDispose]();
      throw new Error(`${peer.name} does not start: ${readFileSync(logFile, 'utf8').slice(-1_000)}`);
    }
    await sleep(1);
  }
  return { ...server, startMs: performance.now() - start };
}
