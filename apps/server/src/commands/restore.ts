import { resolve } from 'node:path';
import type { Command } from 'commander';
import { schema } from '../schema.ts';
import { describeCounts, onSqlite } from './on-sqlite.ts';

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('make the SQLite database what it was when a backup was made')
    .argument('<file>', 'the backup')
    .option('--replace', 'replace a database that is there, and keep its data in a file beside it')
    .action((name: string, { replace }: { replace?: true }) =>
      onSqlite(async (database, progress) => {
        const { restore } = await import('../database/sqlite/restore.ts');
        const time = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
        const keep = replace && `${database}.before-restore-${time}`;
        const { counts, migrations, isKept } = await restore(resolve(name), database, {
          keep,
          schema,
          progress,
        });
        return [
          ...migrations.map((name) => `The backup is of an older release: migration ${name} was applied.`),
          ...(isKept ? [`${keep} has the data from before.`] : []),
          `${database} has ${describeCounts(counts)}.`,
        ];
      }),
    );
}
