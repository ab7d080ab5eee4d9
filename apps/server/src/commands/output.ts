import { inspect } from 'node:util';
import { OperatorError } from '../operator-error.ts';

/** Prints a line of a command's result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Ends a command whose output cannot be written: without a word where its reader wants no more. */
export function watchOutput(): void {
  process.stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') fail(`cannot write to standard output: ${message}`);
  });
}

/** Tells the operator something beside the result, which may go to a program. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Ends the command with exit code 1 and one line that says why. */
export function fail(reason: string): void {
  process.stderr.write(`petstore: ${reason}\n`);
  process.exitCode = 1;
}

/** Ends the command as `fail` does: an error that is not for operators is a bug, and is told with its stack. */
export const failWith = (error: unknown): void =>
  fail(error instanceof OperatorError ? error.message : inspect(error));
