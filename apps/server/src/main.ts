import { Command, CommanderError } from 'commander';
import { addBackup } from './commands/backup.ts';
import { addCopy } from './commands/copy.ts';
import { addHealthcheck } from './commands/healthcheck.ts';
import { addKeys } from './commands/keys/keys.ts';
import { addMigrate } from './commands/migrate.ts';
import { failWith } from './commands/output.ts';
import { addRestore } from './commands/restore.ts';
import { addServe } from './commands/serve.ts';
import { version } from './version.ts';

const USAGE_ERROR = 2;

const program = new Command('petstore')
  .description('The Pet Store service')
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error:/, 'petstore:')) });
const commands = [addServe, addHealthcheck, addMigrate, addKeys, addBackup, addRestore, addCopy];
for (const add of commands) add(program);

try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed the error. It also throws after `--help`, with exit code 0.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
  else failWith(error);
}
