import { Command, CommanderError } from 'commander';
import { version } from '../process/version.ts';
import { addBackup } from './backup.ts';
import { addCopy } from './copy.ts';
import { addHealthcheck } from './healthcheck.ts';
import { addKeys } from './keys/keys.ts';
import { addMigrate } from './migrate.ts';
import { failWith, print } from './output.ts';
import { addRestore } from './restore.ts';
import { addServe } from './serve.ts';

const USAGE_ERROR = 2;

/** Runs a command, and sets the exit code of the process. */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) failWith(error);
    // Commander has printed the error. It also throws after `--help`, with exit code 0.
    else if (error.exitCode !== 0) process.exitCode = USAGE_ERROR;
  }
}

function createProgram(): Command {
  const program = new Command('petstore')
    .description('The Pet Store service')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      // Commander puts its suggestion on a second line, which would lack the prefix.
      outputError: (text, write) => write(text.replace(/^error:/, 'petstore:').replace('\n(Did', ' (Did')),
    });
  const commands = [addServe, addHealthcheck, addMigrate, addKeys, addBackup, addRestore, addCopy];
  for (const addCommand of commands) addCommand(program);
  return program;
}
