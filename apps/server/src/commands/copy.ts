import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { DatabaseUrl } from '../config.ts';
import type { CopySide } from '../database/copy/copy-side.ts';
import { DatabaseFault } from '../database/database-fault.ts';
import { reasonOf } from '../database/reason.ts';
import { OperatorError } from '../operator-error.ts';
import { schema } from '../schema.ts';
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
  program
    .command('copy')
    .description('copy all data of a database into an empty one, of the same engine or the other')
    .requiredOption('--from <url>', 'the source, as DATABASE_URL names it: it takes no writes meanwhile')
    .requiredOption('--to <url>', 'the target: a database without pets and keys, or a new file')
    .option('--hold', 'when both are equal, let the source take no writes until this command is interrupted')
    .action((options: Options) =>
      runInterruptible(async (interrupted) => {
        const [from, to] = [parse('--from', options.from), parse('--to', options.to)];
        if (options.from === options.to) throw new OperatorError('--from and --to are the same database');
        const { copyTables } = await import('../database/copy/copy-tables.ts');
        const { openSide } = await import('../database/copy/open-side.ts');
        const { planCopy } = await import('../database/copy/copy-plan.ts');
        const plan = await planCopy(schema);
        await using source = await opened('--from', openSide(from, plan, 'source'));
        await using target = await opened('--to', openSide(to, plan, 'target'));
        const progress = { begin: note, update: () => interrupted.throwIfAborted() };
        const copied = await copyTables(source, target, plan, progress);
        if (options.hold) {
          note('Equal. The source takes no writes until Ctrl-C: switch the servers to the target now');
          await hold(source, interrupted);
        }
        for (const { name, rows, digest } of copied) {
          print(`${name}: ${rows.toLocaleString('en')} rows, SHA-256 ${digest} on both sides`);
        }
        print('Source and target are equal.');
      }),
    );
}

function parse(option: string, url: string) {
  const { data, error } = DatabaseUrl.safeParse(url);
  if (data !== undefined) return data;
  throw new OperatorError(`${option} ${error.issues[0]?.message}`);
}

async function opened(option: string, opening: Promise<CopySide>): Promise<CopySide> {
  try {
    return await opening;
  } catch (error) {
    throw new DatabaseFault(`${option}: ${reasonOf(error)}`);
  }
}

/** @throws DatabaseFault when the connection was lost, and the source takes writes again */
async function hold(source: CopySide, interrupted: AbortSignal): Promise<void> {
  while (!interrupted.aborted) {
    await source.query('select 1').catch((error: unknown) => {
      throw new DatabaseFault(`the source takes writes again, which the target lacks: ${reasonOf(error)}`);
    });
    await sleep(HOLD_INTERVAL_MS, undefined, { signal: interrupted }).catch(() => {});
  }
}
