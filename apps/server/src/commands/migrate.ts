import type { Command } from 'commander';
import { print } from './output.ts';
import { withDatabase } from './with-database.ts';

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the schema of the database up to date, and end')
    .action(() =>
      withDatabase('migrate', async (_database, applied) => {
        for (const name of applied) print(`Applied ${name}.`);
        print('The schema is up to date.');
      }),
    );
}
