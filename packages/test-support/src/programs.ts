import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** The cache saves a fifth of the processor time of a program's start. */
export const NODE_COMPILE_CACHE = join(tmpdir(), `petstore-compile-cache-${userInfo().username}`);

export interface Ended {
  /** `null` when a signal has ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Options {
  environment?: Record<string, string>;
  cwd?: string | undefined;
  input?: string;
}

/** Starts a program of Node.js. Its environment has only PATH, the compile cache and the given variables. */
export function startProgram(args: readonly string[], { environment = {}, cwd, input = '' }: Options = {}) {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...environment };
  const child = spawn(process.execPath, args, { cwd, env });
  child.stdin.on('error', () => {}).end(input);
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]): Ended => ({ code, stdout, stderr }),
  );
  // A test that closes the output itself does not await the end, and would leave a rejection unhandled.
  ended.catch(() => {});
  return { child, ended };
}

/** Runs a command to its end. @returns its standard output @throws Error with the output of a command that fails */
export async function runTool(
  command: string,
  args: readonly string[],
  options: { cwd?: string | undefined; env: NodeJS.ProcessEnv },
): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { ...options, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' }: { stdout?: unknown; stderr?: unknown } = Object(error);
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** Runs a command line in a shell, as in a terminal, with the environment of a program and HOME. */
export function startShell(command: string, { environment, cwd }: Omit<Options, 'input'>) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE, ...environment };
  // A group of its own, because a signal to the shell alone leaves its programs running.
  const child = spawn(`exec 2>&1; ${command}`, { shell: true, cwd, env, detached: true });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  // `close` comes when the last process that writes to the pipe has ended, `exit` before.
  const ended = once(child, 'close').then(([code, signal]): number | NodeJS.Signals => code ?? signal);
  /** Signals the whole group, as Ctrl-C does. @returns the exit code, or the signal that ended the shell */
  const end = (signal: NodeJS.Signals) => {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (child.pid !== undefined && isRunning) process.kill(-child.pid, signal);
    return ended;
  };
  return { output: () => output, ended, end, [Symbol.asyncDispose]: () => end('SIGKILL').then(() => {}) };
}

/** Runs a command line in a shell to its end. @returns its exit code, or the signal that ended it, and its output */
export async function runShell(...args: Parameters<typeof startShell>) {
  const { ended, output } = startShell(...args);
  return { code: await ended, output: output() };
}
