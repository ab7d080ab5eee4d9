import { type Engine, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { runCli } from '@petstore/test-support/servers/server-process';
import { expect } from 'vitest';

/**
 * Runs a command, which must fail with one line and no output.
 * @returns the line, without the name of the program
 */
export async function failureOf(
  command: readonly string[],
  environment: Record<string, string>,
  { exitCode = 1, cwd }: { exitCode?: number; cwd?: string } = {},
): Promise<string> {
  const { code, stdout, stderr } = await runCli(command, environment, { cwd });
  expect({ command, code, stdout }).toEqual({ command, code: exitCode, stdout: '' });
  expect(stderr).toMatch(/^petstore: [^\n]+\n$/);
  return stderr.slice('petstore: '.length, -1);
}

/** Creates a database, and functions that run `petstore keys` on it. */
export async function databaseWithKeys(engine: Engine = 'sqlite') {
  const database = await temporaryDatabase(engine);
  const environment = { DATABASE_URL: database.url };
  const keys = (...args: string[]) => runCli(['keys', ...args], environment);
  const issueKey = async (name: string, ...options: string[]) =>
    (await keys('create', '--name', name, ...options)).stdout.trim();
  return { ...database, environment, keys, issueKey };
}

/** Requests the list of pets with a key, and returns the status. */
export const statusWithKey = async (baseUrl: string, key: string) =>
  (await fetchWithKey(baseUrl, key)('/pets')).status;
