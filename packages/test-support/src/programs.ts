import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A program as it ended. */
export interface Ended {
  /** `null` when a signal has ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Options {
  environment?: Record<string, string>;
  cwd?: string | undefined;
  /** Comes by standard input. */
  input?: string;
}

/** Starts a program of Node.js, with no environment but PATH and what is given. */
export function startProgram(args: readonly string[], { environment = {}, cwd, input = '' }: Options = {}) {
  const env = { PATH: process.env.PATH, ...environment };
  const child = spawn(process.execPath, args, { cwd, env });
  child.stdin.on('error', () => {}).end(input);
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]): Ended => ({ code, stdout, stderr }),
  );
  // Of interest only where it is awaited: a test may close the output itself.
  ended.catch(() => {});
  return { child, ended };
}
