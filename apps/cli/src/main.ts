import { exitCodes } from './exit-code.ts';
import { runProgram } from './program.ts';
import { note } from './terminal.ts';

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader such as `head` has enough and closes the pipe. Another exit code would make pnpm print an error.
  if (code === 'EPIPE') process.exit(exitCodes.success);
  note(`pets: Standard output cannot be written: ${message}`);
  process.exit(exitCodes.failure);
});

// A message without a reader is lost. Without a listener, the command would end in the middle.
process.stderr.on('error', () => {});

await runProgram(process.argv.slice(2));
