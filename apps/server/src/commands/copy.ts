import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { DatabaseUrl } from '../config.ts';
import { DatabaseFault } from '../database/database-fault.ts';
import { reasonOf } from '../database/reason.ts';
import { schema } from '../schema.ts';
import { tables } from '../tables.ts';
import { runInterruptible } from './interruptible.ts';
import { note, print } from './output.ts';

/** How often a source that is held is asked whether it still is. */
const HOLD_INTERVAL_MS = 1_000;

interface Options {
  from: string;
  to: string;
  hold?: true;
}

export function addCopy(program: Command): void {
  const command = program
    .command('copy')
    .description('copy all data of a database into an empty one, of the same engine or the other')
    .requiredOption('--from <url>', 'the source, as DATABASE_URL names it: it takes no writes meanwhile')
    .requiredOption('--to <url>', 'the target: a database without pets and keys, or a new file')
    .option('--hold', 'when both are equal, let the source take no writes until this command is interrupted')
    .action((options: Options) => {
      const [from, to] = [parse('--from', options.from), parse('--to', options.to)];
      if (options.from === options.to) command.error('error: --from and --to are the same database');
      return runInterruptible(async (interrupted) => {
        const { copyDatabase } = await import('../database/copy.ts');
        note('Copying, and comparing');
        const copied = await copyDatabase(
          { from, to, schema, tables },
          {
            // A signal is heard between two batches.
            visit: async () => {
              await setImmediate();
              interrupted.throwIfAborted();
            },
            hold: async (check) => {
              if (options.hold) await hold(check, interrupted);
            },
          },
        );
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

/** @throws DatabaseFault when the connection was lost, and the source takes writes again */
async function hold(check: () => Promise<unknown>, interrupted: AbortSignal): Promise<void> {
  note('Equal. The source takes no writes until Ctrl-C: switch the servers to the target now');
  while (!interrupted.aborted) {
    await check().catch((error: unknown) => {
      throw new DatabaseFault(`the source takes writes again, which the target lacks: ${reasonOf(error)}`);
    });
    await sleep(HOLD_INTERVAL_MS, undefined, { signal: interrupted }).catch(() => {});
  }
}
