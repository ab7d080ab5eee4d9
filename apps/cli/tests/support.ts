import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Fetch } from '@petstore/client';
import { createMemoryPetStore, type MemoryPetStoreOptions } from '@petstore/client/testing';
import { temporaryFolder } from '@petstore/test-support/files';
import { NODE_COMPILE_CACHE, startProgram } from '@petstore/test-support/programs';
import { runInProcess } from '@petstore/test-support/run-in-process';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { runProgram } from '../src/program.ts';

export const READ_API_KEY = 'pst_read';

export const PETS = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

export const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);

interface Options extends Pick<MemoryPetStoreOptions, 'pets'> {
  /** Wraps the service, for example to refuse requests. */
  wrap?: (fetch: Fetch) => Fetch;
}

export type MemoryService = Awaited<ReturnType<typeof startMemoryService>>;

/** A service in memory, and a folder to work in. */
export async function startMemoryService({ pets, wrap = (fetch) => fetch }: Options = {}) {
  const memory = createMemoryPetStore({ pets, readApiKey: READ_API_KEY });
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const { baseUrl } = stack.use(await serveFetch(wrap(memory.fetch)));
  const connection = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: memory.apiKey };
  return {
    baseUrl,
    memory,
    folder,
    names: () => memory.pets.map(({ name }) => name),
    /** Starts the built command as a process. */
    start: (args: string[], { input = '' }: { input?: string } = {}) =>
      startProgram([PETS, ...args], { cwd: folder.path, environment: connection, input }),
    run: (args: string[], variables: Record<string, string> = {}) =>
      runInProcess(() => runProgram(args), { ...connection, ...variables }, folder.path),
    /** Runs the built command on a terminal of this width, which `script` gives it. */
    async runOnTerminal(
      args: string,
      { columns = 80, ...variables }: { columns?: number; NO_COLOR?: string } = {},
    ) {
      const command = `stty cols ${columns}; '${process.execPath}' '${PETS}' ${args}`;
      const env = { PATH: process.env.PATH, TERM: 'xterm', NODE_COMPILE_CACHE, ...connection, ...variables };
      const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
        env,
        cwd: folder.path,
      });
      return stdout;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
