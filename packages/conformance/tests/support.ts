import { createMemoryPetStore } from '@petstore/client/testing';
import { runInProcess } from '@petstore/test-support/run-in-process';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import type { Check } from '../src/check.ts';
import { main } from '../src/command/main.ts';
import type { Fetch, Target } from '../src/http/target.ts';

export const API_KEY = 'reference-key';
export const READ_API_KEY = 'reference-read-key';

/** Just below 2^53, so that a check that rounds an id fails. */
export const FIRST_ID = 2n ** 53n - 10n;

/**
 * A correct deployment, in memory.
 * @param petCount how many pets it has already
 */
export const createReferenceServer = (petCount = 0): Fetch =>
  createMemoryPetStore({
    apiKey: API_KEY,
    readApiKey: READ_API_KEY,
    firstId: FIRST_ID,
    pets: Array.from({ length: petCount }, () => ({ name: 'Ñandú', categoryId: 1 })),
  }).fetch;

export const targetOf = (fetch: Fetch): Target => ({
  baseUrl: 'http://petstore.test/v1',
  apiKey: API_KEY,
  readApiKey: READ_API_KEY,
  fetch,
});

/** Runs checks one after another. @returns the names of the failing checks, each with its error */
export async function failuresOf(target: Target, checks: readonly Check[]): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  for (const { name, run } of checks) await run(target).catch((error) => failures.set(name, error));
  return failures;
}

/** Runs the command in this process. Only one command can run at a time. */
export async function runCommand(args: readonly string[], environment: Record<string, string> = {}) {
  const ended = await runInProcess(() => main(args), environment);
  return { ...ended, lines: ended.stdout.trimEnd().split('\n') };
}

/** Runs the command in this process against a served `fetch`. */
export async function runAgainst(fetch: Fetch, ...args: string[]) {
  await using deployment = await serveFetch(fetch);
  return await runCommand(['--base-url', deployment.baseUrl, '--api-key', API_KEY, ...args]);
}
