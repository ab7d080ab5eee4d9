import { inspect } from 'node:util';
import { OperatorError } from '../operator-error.ts';

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

/** Ends the command with one line that says why. */
export function fail(reason: string, exitCode = 1): void {
  process.stderr.write(`petstore: ${reason}\n`);
  process.exitCode = exitCode;
}

/** Ends the command with the line of an OperatorError. Any other error is a bug, and is printed with its stack. */
export function failWith(error: unknown): void {
  if (error instanceof OperatorError) fail(error.message, error.exitCode);
  else fail(inspect(error));
}
