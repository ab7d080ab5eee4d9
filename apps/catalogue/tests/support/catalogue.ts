import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '@petstore/test-support/servers/compile-cache';
import { FIXED_KEY } from '@petstore/test-support/servers/server-process';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface CatalogueProcess extends AsyncDisposable {
  origin: string;
  /** Everything that it wrote to stdout and stderr. */
  output(): string;
  /** Sends a signal and waits for the end. @returns the exit code */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the built app as a process of its own and waits until it listens.
 *
 * @param environment of the app, beside a free port, the API key of `startServer` and a PETSTORE_TIMEOUT_MS
 *   with which a machine that is busy with other tests is not a pet store that is slow
 */
export async function startCatalogue(environment: Record<string, string>): Promise<CatalogueProcess> {
  const { child, output, ended } = spawnCatalogue({
    PORT: '0',
    PETSTORE_API_KEY: FIXED_KEY,
    PETSTORE_TIMEOUT_MS: '60000',
    ...environment,
  });
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  createInterface(child.stdout).on('line', (line) => {
    const [, address] = /"address":"([^"]+)"/.exec(line) ?? [];
    if (address) resolve(address);
  });
  const endedEarly = ended.then((code) => {
    throw new Error(`The catalogue ended with ${code}: ${output()}`);
  });
  // Rejects at every end. It is of interest only until the app has started.
  endedEarly.catch(() => {});
  const origin = await Promise.race([listening, endedEarly]);
  return {
    origin,
    output,
    async stop(signal) {
      child.kill(signal);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs the built app to its end, for a start that fails. */
export async function runCatalogue(environment: Record<string, string>) {
  const { output, ended } = spawnCatalogue(environment);
  return { code: await ended, output: output() };
}

function spawnCatalogue(environment: Record<string, string>) {
  const child = spawn(process.execPath, [CLI], {
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const ended = once(child, 'close').then(([code]): number | null => code);
  return { child, output: () => output, ended };
}
