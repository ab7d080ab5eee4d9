import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { runInterruptible } from './interruptible.ts';
import { note, print } from './output.ts';
import { requireSqliteFile } from './with-database.ts';

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('restore the SQLite database from a backup, while no server runs')
    .argument('<file>', 'the backup')
    .option('--replace', 'replace an existing database: keep its keys and highest ids, and rename its file')
    .option('--lose-keys', 'replace a damaged database, without its keys and highest ids')
    .action((file: string, { replace, loseKeys }: { replace?: true; loseKeys?: true }) => {
      const [backup, configured] = [resolve(file), requireSqliteFile()];
      // The kept file must be on the file system of the database, to which a symbolic link may lead.
      const database = existsSync(configured) ? realpathSync(configured) : configured;
      const time = new Date().toISOString().replaceAll(/\D/g, '');
      const keepAs = replace && `${database}.before-restore-${time}`;
      return runInterruptible(async (interrupted) => {
        const { restore } = await import('../database/sqlite/restore.ts');
        const onStart = () => note(`Copying ${backup}, and verifying the copy`);
        const keysAreKept = await restore(backup, database, { keepAs, loseKeys, interrupted, onStart });
        if (keepAs !== undefined && existsSync(keepAs)) print(`${keepAs} has the data from before.`);
        const keys = keysAreKept
          ? 'has all keys from before'
          : 'has the keys of the backup, also if revoked since';
        print(`${database} is restored, and ${keys}.`);
      });
    });
}
