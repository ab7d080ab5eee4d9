import { writeFileSync } from 'node:fs';
import type { Fetch } from '@petstore/client';
import { createMemoryPetStore, type MemoryPetStoreOptions } from '@petstore/client/testing';
import { temporaryFolder } from '@petstore/test-support/files';
import { runShell, startProgram } from '@petstore/test-support/programs';
import { runInProcess } from '@petstore/test-support/run-in-process';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { runProgram } from '../src/program.ts';

export const READ_API_KEY = 'pst_read';

const CLI = `${import.meta.dirname}/../dist/cli.js`;

/** The built command, for a shell. */
export const PETS_COMMAND = `'${process.execPath}' '${CLI}'`;

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
  /** Runs a command line. @returns its exit code, and what it prints */
  const runInShell = (command: string, variables: Record<string, string> = {}) =>
    runShell(command, { cwd: folder.path, environment: { TERM: 'xterm', ...connection, ...variables } });
  /** Runs the command in this process, which is faster. */
  const run = (args: string[], variables: Record<string, string> = {}) =>
    runInProcess(() => runProgram(args), { ...connection, ...variables }, folder.path);
  return {
    baseUrl,
    memory,
    folder,
    petNames: () => memory.pets.map(({ name }) => name),
    /** Starts the built command. */
    start: (args: string[]) => startProgram([CLI, ...args], { cwd: folder.path, environment: connection }),
    run,
    /** Writes a file, and runs its import. */
    importFile(name: string, content: string | Buffer, ...options: string[]) {
      writeFileSync(folder.file(name), content);
      return run(['import', name, ...options]);
    },
    runInShell,
    /** Runs the built command on a terminal of `COLUMNS` columns. @returns what it shows */
    async runOnTerminal(args: string, variables: Record<string, string> = {}) {
      const COMMAND = `stty cols ${variables.COLUMNS ?? 80}; ${PETS_COMMAND} ${args}`;
      const { output } = await runInShell('script -qec "$COMMAND" /dev/null', { COMMAND, ...variables });
      return output;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
