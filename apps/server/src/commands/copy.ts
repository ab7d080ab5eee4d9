import type { Command } from 'commander';
import { DatabaseUrl } from '../config.ts';
import { schema } from '../schema.ts';
import { tables } from '../tables.ts';
import { runInterruptible } from './interruptible.ts';
import { note, print } from './output.ts';

interface Options {
  from: string;
  to: string;
}

export function addCopy(program: Command): void {
  const command = program
    .command('copy')
    .description('copy all data of a database into an empty one, of the same engine or the other')
    .requiredOption('--from <url>', 'the source, as DATABASE_URL names it: it takes no writes meanwhile')
    .requiredOption('--to <url>', 'the target: a database without pets and keys, or a new file')
    .action((options: Options) => {
      const [from, to] = [parse('--from', options.from), parse('--to', options.to)];
      if (options.from === options.to) command.error('error: --from and --to are the same database');
      return runInterruptible(async (interrupted) => {
        const { copyDatabase } = await import('../database/copy.ts');
        note('Copying, and comparing');
        const copied = await copyDatabase({ from, to, schema, tables }, interrupted);
        for (const { name, rows, digest } of copied) {
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
