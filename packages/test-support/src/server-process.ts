import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../../apps/server/dist/cli.js', import.meta.url));

/** A key that the environment fixes, so that every start of a test's server knows it. */
export const FIXED_KEY = 'test-key-of-the-environment';

export interface ServerProcess extends AsyncDisposable {
  child: ChildProcess;
  baseUrl: string;
  origin: string;
  /** What stdout and stderr said so far. */
  output(): string;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts `petstore serve` as its own process, on a free port unless the environment says otherwise. */
export async function startServer(environment: Record<string, string>, cwd?: string): Promise<ServerProcess> {
  const child = spawn(process.execPath, [CLI, 'serve'], {
    cwd,
    env: { PATH: process.env.PATH, PORT: '0', API_KEYS: FIXED_KEY, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const address = Promise.withResolvers<string>();
  void ended.then(({ code }) => address.reject(new Error(`The server ended with ${code}: ${output}`)));
  createInterface(child.stdout).on('line', (line) => {
    output += `${line}\n`;
    const [, found] = /"address":"([^"]+)"/.exec(line) ?? [];
    if (found) address.resolve(found);
  });
  const baseUrl = await address.promise;
  return {
    child,
    baseUrl,
    origin: new URL(baseUrl).origin,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs a `petstore` command to its end. */
export async function runCli(arguments_: string[], environment: Record<string, string> = {}, cwd?: string) {
  const child = spawn(process.execPath, [CLI, ...arguments_], {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code: Number(code), stdout, stderr };
}
