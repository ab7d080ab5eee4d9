import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from './free-port.ts';
import { FIXED_KEY } from './server-process.ts';

const CLI = fileURLToPath(new URL('../../../apps/server/dist/cli.js', import.meta.url));
const PATIENCE_MS = 10_000;

/** A server as its own process that logs nothing: under load, reading its log would cost the test too much. */
export async function startQuietServer(
  environment: Record<string, string>,
): Promise<AsyncDisposable & { origin: string }> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [CLI, 'serve'], {
    env: {
      PATH: process.env.PATH,
      PORT: `${port}`,
      API_KEYS: FIXED_KEY,
      LOG_LEVEL: 'silent',
      ...environment,
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isReady(origin))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('The server does not start');
    await sleep(20);
  }
  return {
    origin,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const isReady = (origin: string) =>
  fetch(`${origin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
