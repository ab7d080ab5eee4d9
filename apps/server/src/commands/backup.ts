import { resolve } from 'node:path';
import type { Command } from 'commander';
import { runInterruptible } from './interruptible.ts';
import { note, print } from './output.ts';
import { requireSqliteFile } from './with-database.ts';

export function addBackup(program: Command): void {
  program
    .command('backup')
    .description('copy the SQLite database into a new file, while servers may run')
    .argument('<file>', 'where the backup goes')
    .action((name: string) => {
      const [database, file] = [requireSqliteFile(), resolve(name)];
      return runInterruptible(async (interrupted) => {
        const { backUp } = await import('../database/sqlite/backup.ts');
        const onStart = () => note(`Copying ${database}, and verifying the copy`);
        await backUp(database, file, { interrupted, onStart });
        print(`${file} is a complete backup.`);
      });
    });
}
