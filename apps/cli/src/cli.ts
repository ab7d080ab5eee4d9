#!/usr/bin/env node
import { requireNode } from '@petstore/contract/require-node';

requireNode('pets', new URL('../package.json', import.meta.url));
const { exitCodes } = await import('./exit-code.ts');
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader such as `head` has enough and closes the pipe. Another exit code would make pnpm print an error.
  if (code === 'EPIPE') process.exit(exitCodes.success);
  process.stderr.write(`pets: Standard output cannot be written: ${message}\n`);
  process.exit(exitCodes.failure);
});
// A message without a reader is lost. Without a listener, the command would end in the middle.
process.stderr.on('error', () => {});
const { runProgram } = await import('./program.ts');
await runProgram(process.argv.slice(2));
