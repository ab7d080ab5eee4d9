import { resolve } from 'node:path';
import type { Command } from 'commander';
import { schema } from '../schema.ts';
import { describeCounts, onSqlite } from './on-sqlite.ts';

export function addBackup(program: Command): void {
  program
    .command('backup')
    .description('copy the SQLite database into a new file, while servers may run')
    .argument('<file>', 'where the backup goes')
    .action((name: string) =>
      onSqlite(async (database, progress) => {
        const { backUp } = await import('../database/sqlite/backup.ts');
        const file = resolve(name);
        return [`${file} has ${describeCounts(await backUp(database, file, schema, progress))}.`];
      }),
    );
}
