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

/** Requests the list of pets with a key, and returns the status. */
export const statusWithKey = async (baseUrl: string, key: string) =>
  (await fetchWithKey(baseUrl, key)('/pets')).status;
