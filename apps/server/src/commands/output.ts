import { inspect } from 'node:util';
import { DatabaseFault } from '../database/database-fault.ts';
import { OperatorError } from '../process/operator-error.ts';

/** Writes to standard output. If this fails, standard error and the exit code say so. A closed pipe is no failure. */
export function print(line: string): void {
  const { stdout } = process;
  // Without a listener, an error would end the process with its stack.
  if (stdout.listenerCount('error') === 0) {
    stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') fail(`cannot write to standard output: ${message}`);
    });
  }
  stdout.write(`${line}\n`);
}

/** Writes to standard error, because the result may go to a program. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** @param reason may have several lines */
export function fail(reason: string, exitCode = 1): void {
  note(`petstore: ${reason.replaceAll('\n', '\npetstore: ')}`);
  process.exitCode = exitCode;
}

/** Any error other than an OperatorError or a DatabaseFault is a bug, and is printed with its stack. */
export function failWith(error: unknown): void {
  if (error instanceof OperatorError) fail(error.message, error.exitCode);
  else if (error instanceof DatabaseFault) fail(`DATABASE_URL: ${error.message}`);
  else fail(inspect(error));
}
