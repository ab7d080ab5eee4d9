import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '@petstore/test-support/servers/compile-cache';
import { FIXED_KEY } from '@petstore/test-support/servers/server-process';

export const PETS = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

interface Options {
  environment?: Record<string, string>;
  cwd?: string;
  input?: string;
}

/** Starts the built `pets` command, with no environment but PATH, a key and what is given. */
export function startPets(args: readonly string[], { environment = {}, cwd, input = '' }: Options = {}) {
  const child = spawn(process.execPath, [PETS, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, PETSTORE_API_KEY: FIXED_KEY, ...environment },
  });
  child.stdin.on('error', () => {}).end(input);
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code, signal], stdout, stderr]): Ended => ({ code, signal, stdout, stderr }),
  );
  // Of interest only where it is awaited: a test may close the output itself.
  ended.catch(() => {});
  return { child, ended };
}

/** Runs the built `pets` command to its end. */
export const runPets = (...args: Parameters<typeof startPets>): Promise<Ended> => startPets(...args).ended;
