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
  /** No file can grow beyond as many bytes, as on a disk that becomes full; a multiple of 512. */
  maxFileBytes?: number | undefined;
}

/** Starts the built `pets` command, with no environment but PATH, a key and what is given. */
export function startPets(
  args: readonly string[],
  { environment = {}, cwd, input = '', maxFileBytes }: Options = {},
) {
  const limit =
    maxFileBytes === undefined
      ? []
      : ['sh', '-c', `trap "" XFSZ; ulimit -f ${maxFileBytes / 512}; exec "$0" "$@"`];
  const [command = '', ...rest] = [...limit, process.execPath, PETS, ...args];
  const child = spawn(command, rest, {
    cwd,
    env: {
      PATH: process.env.PATH,
      ...COMPILE_CACHE,
      XDG_CONFIG_HOME: '/nonexistent',
      PETSTORE_API_KEY: FIXED_KEY,
      ...environment,
    },
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
