import { runInProcess } from '@petstore/test-support/run-in-process';
import { runCli } from '@petstore/test-support/servers/server-process';
import { expect } from 'vitest';
import { runProgram } from '../../src/commands/program.ts';

/**
 * Runs a command in this process, except `serve`, whose handlers of signals and uncaught errors stay until the process
 * ends. Use `runCli` for `keys find`, which reads standard input, and to see a new key, which is written to descriptor 1.
 */
export const runCommand = (args: readonly string[], environment: Record<string, string>, cwd?: string) =>
  args[0] === 'serve'
    ? runCli(args, environment, cwd)
    : runInProcess(() => runProgram(args), environment, cwd);

/**
 * Runs a command, which must fail with one line and no output.
 * @returns the line, without the name of the program
 */
export async function failureOf(
  command: readonly string[],
  environment: Record<string, string>,
  { exitCode = 1, cwd }: { exitCode?: number; cwd?: string } = {},
): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, environment, cwd);
  expect({ command, code, stdout }).toEqual({ command, code: exitCode, stdout: '' });
  expect(stderr).toMatch(/^petstore: [^\n]+\n$/);
  return stderr.slice('petstore: '.length, -1);
}
