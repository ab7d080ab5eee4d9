import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { assert, expect, vi } from 'vitest';
import { temporaryFolder } from '../files.ts';
import { NODE_COMPILE_CACHE, startProgram } from '../programs.ts';
import { fetchWithKey } from './fetch-with-key.ts';
import { findFreePort } from './free-port.ts';

/** The built `petstore` command. The package whose tests use it needs `@petstore/server#build` in turbo.json. */
export const CLI = `${import.meta.dirname}/../../../../apps/server/dist/cli.js`;

/** The image and the systemd unit start the server with the same options. */
const V8_OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=50'];

/**
 * The API key that every server of `startServer` accepts, also after a restart. Servers of other processes
 * that run tests do not accept it: a request that gets there by mistake adds nothing.
 */
export const FIXED_KEY = `test-key-${randomUUID()}`;

/** Timeouts of a server that even a busy machine does not exceed. */
export const longTimeouts = { DATABASE_CONNECT_TIMEOUT_MS: '15000', DATABASE_STATEMENT_TIMEOUT_MS: '15000' };

/** How long a start may take on a busy machine. */
const START_TIMEOUT_MS = 60_000;

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

interface Options {
  /** The working directory. A relative DATABASE_URL begins there. @default a temporary folder */
  cwd?: string;
  /**
   * Where its log goes. `read`: into `output()`. `silent`: it logs nothing, because reading the log of a loaded server
   * slows the test. `unread`: a pipe that is not read, unless `shell` redirects the log. A number: a file descriptor.
   */
  log?: 'read' | 'silent' | 'unread' | number;
  /** For a restart at the same address. @default a free one */
  port?: number;
  /** The program and its arguments. @default `petstore serve` */
  command?: readonly string[];
  /** Arguments of `sh`, followed by the server's command line: a script can change limits first. */
  shell?: readonly string[];
}

/**
 * Starts `petstore serve` as a process of its own and waits until it takes requests.
 * @param environment variables besides PATH, a free PORT, and `API_KEYS` with the fixed key. The default
 *   MAX_QUEUE_DELAY_MS is so high that other tests on the machine cause no overload.
 */
export async function startServer(
  environment: Record<string, string> = {},
  { cwd, log = 'read', port: fixedPort, command = [CLI, 'serve'], shell }: Options = {},
) {
  const port = fixedPort ?? (log === 'read' ? 0 : await findFreePort());
  const folder = await temporaryFolder();
  const line = [process.execPath, ...V8_OPTIONS, ...command];
  const [program = '', ...args] = shell === undefined ? line : ['sh', ...shell, ...line];
  const child = spawn(program, args, {
    cwd: cwd ?? folder.path,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE,
      PORT: `${port}`,
      API_KEYS: FIXED_KEY,
      MAX_QUEUE_DELAY_MS: '60000',
      ...(log === 'silent' && { LOG_LEVEL: 'silent' }),
      ...environment,
    },
    stdio: ['ignore', typeof log === 'number' ? log : 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(async ([code, signal]: (number | string | null)[]) => {
    await folder[Symbol.asyncDispose]();
    return { code, signal };
  });
  let output = '';
  for (const stream of log === 'read' ? [child.stdout, child.stderr] : [child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }

  const endedEarly = ended.then(({ code }) => {
    throw new Error(`The server ended with ${code}: ${output}`);
  });
  // This promise rejects at every end of the server, but matters only until the server has started.
  endedEarly.catch(() => {});
  // Both functions throw until the server has started. A server whose log is not read has a known port.
  const readBaseUrl = () => /"address":"([^"]+)"/.exec(output)?.[1] ?? assert.fail('No address in the log');
  async function probeKnownPort(): Promise<string> {
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    return `http://127.0.0.1:${port}/v1`;
  }
  const findBaseUrl = log === 'read' ? readBaseUrl : probeKnownPort;
  const started = vi.waitFor(findBaseUrl, { timeout: START_TIMEOUT_MS, interval: 20 });
  const baseUrl = await Promise.race([started, endedEarly]).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });

  return {
    child,
    /** The URL of the interface, including the version prefix. */
    baseUrl,
    origin: baseUrl.replace(/\/v1$/, ''),
    /** Sends a request below `baseUrl` with the fixed key; a body is sent as JSON. */
    request: fetchWithKey(baseUrl, FIXED_KEY),
    /** Everything that was read of the server's stdout and stderr. */
    output: () => output,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export const runCli = (args: readonly string[], environment: Record<string, string> = {}, cwd?: string) =>
  startProgram([...V8_OPTIONS, CLI, ...args], { environment, cwd }).ended;
