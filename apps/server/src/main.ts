import { inspect } from 'node:util';
import { Command } from 'commander';
import { addBackup } from './commands/backup.ts';
import { addCopy } from './commands/copy.ts';
import { addHealthcheck } from './commands/healthcheck.ts';
import { addKeys } from './commands/keys/keys.ts';
import { addMigrate } from './commands/migrate.ts';
import { fail } from './commands/output.ts';
import { addRestore } from './commands/restore.ts';
import { addServe } from './commands/serve.ts';
import { OperatorError } from './operator-error.ts';
import { version } from './version.ts';

const program = new Command('petstore').description('The Pet Store service').version(version);
addServe(program);
addHealthcheck(program);
addMigrate(program);
addKeys(program);
addBackup(program);
addRestore(program);
addCopy(program);

try {
  await program.parseAsync();
} catch (error) {
  fail(error instanceof OperatorError ? error.message : inspect(error));
}
