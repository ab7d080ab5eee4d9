import { CommanderError } from 'commander';
import { describeError, exitCodeOf, exitCodes } from './exit-code.ts';
import { createProgram } from './program.ts';
import { note } from './terminal.ts';

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader such as `head` has enough and closes the pipe. Another exit code would make pnpm print an error.
  if (code === 'EPIPE') process.exit(exitCodes.success);
  note(`pets: Standard output cannot be written: ${message}`);
  process.exit(exitCodes.failure);
});

try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has printed the error or the help.
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
  } else {
    note(`pets: ${describeError(error)}`);
    process.exitCode = exitCodeOf(error);
  }
}
