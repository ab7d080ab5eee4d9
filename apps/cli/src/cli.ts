#!/usr/bin/env node
import { CommanderError } from 'commander';
import { describeError, exitCodeOf, exitCodes } from './exit-code.ts';
import { createProgram } from './program.ts';
import { escapeControls } from './terminal.ts';

// A reader such as `head` has what it wants and closes the pipe.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === 'EPIPE' ? exitCodes.brokenPipe : exitCodes.failure);
});

const program = createProgram();
for (const command of [program, ...program.commands]) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed what is wrong, or the help.
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
  } else {
    console.error(`pets: ${escapeControls(describeError(error))}`);
    process.exitCode = exitCodeOf(error);
  }
}
