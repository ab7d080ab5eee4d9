import { fileURLToPath } from 'node:url';
import { startProgram } from '@petstore/test-support/programs';
import { FIXED_KEY } from '@petstore/test-support/servers/server-process';

export const PETS = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** Starts the built `pets` command with the given options and an API key. */
export const startPets = (
  args: readonly string[],
  { environment, ...options }: Parameters<typeof startProgram>[1] = {},
) =>
  startProgram([PETS, ...args], { ...options, environment: { PETSTORE_API_KEY: FIXED_KEY, ...environment } });

/** Runs the built `pets` command to its end. */
export const runPets = (...args: Parameters<typeof startPets>) => startPets(...args).ended;
