import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { DatabaseUrl } from '../process/database-url.ts';
import { runInterruptible } from './interruptible.ts';
import { note, print } from './output.ts';

export function addCopy(program: Command): void {
  const command = program
    .command('copy')
    .description('copy all data of a database into an empty one, of the same engine or the other')
    .requiredOption('--from <url>', 'the source, as DATABASE_URL names it: no server may use it meanwhile')
    .requiredOption(
      '--to <url>',
      'the target: a database that petstore migrate has prepared, without pets or keys of its own',
    )
    .action((options: { from: string; to: string }) => {
      const [from, to] = [parse('--from', options.from), parse('--to', options.to)];
      if (isDeepStrictEqual(from, to)) command.error('error: --from and --to are the same database');
      return runInterruptible(async (interrupted) => {
        const { copyDatabase } = await import('./copy-database.ts');
        const onStart = () => note('Copying, and comparing');
        for (const { name, rows, digest } of await copyDatabase(from, to, { interrupted, onStart })) {
          print(`${name}: ${rows.toLocaleString('en')} rows, SHA-256 ${digest} on both sides`);
        }
        print('Source and target are equal.');
      });
    });

  function parse(option: string, url: string) {
    const { data, error } = DatabaseUrl.safeParse(url);
    return data ?? command.error(`error: ${option} ${error?.issues[0]?.message}`);
  }
}
