import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '@petstore/test-support/files';
import { STATUSES } from '../data/pets.ts';
import { hasCommand } from '../has-command.ts';
import type { UncachedName } from './workloads.ts';

/** The workloads that pgbench runs with statements of its own. */
export type ScriptedName = Exclude<UncachedName, 'create'>;

const run = promisify(execFile);

export const hasPgbench = hasCommand('pgbench');

/** What pgbench runs, and how often relative to the other scripts. */
interface Script {
  weight: number;
  statement: string;
}

/**
 * For each workload the statements that give what our server's give. (The server may read or create many
 * pets with one statement.)
 */
function scriptsOf(workload: ScriptedName, count: number): Script[] {
  const lists = (weight: number) =>
    STATUSES.map((status) => ({
      weight,
      statement: `select id, name, category_id, status from pets where status between :${status} and :${status} order by status, id limit 21;`,
    }));
  const single = (weight: number) => ({
    weight,
    statement: `\\set id random(1, ${count})\nselect id, name, category_id, status from pets where id = :id;`,
  });
  const creation = (weight: number) => ({
    weight,
    statement: `insert into pets (name, category_id, status) values (:name, 7, :available) returning id, name, category_id, status;`,
  });
  const scripts: Record<ScriptedName, Script[]> = {
    list: lists(1),
    get: [single(1)],
    mix5: [...lists(11), single(24), creation(3)],
    mix30: [...lists(4), single(9), creation(9)],
  };
  return scripts[workload];
}

/**
 * Runs the statements of a workload, prepared, each in a transaction of its own.
 *
 * @returns transactions a second
 * @throws Error when a statement fails
 */
export function runScripts(
  url: string,
  workload: ScriptedName,
  { connections, seconds, count }: { connections: number; seconds: number; count: number },
): Promise<number> {
  const variables = ['-Dname=Otter', ...STATUSES.map((status) => `-D${status}=${status}`)];
  const options = ['-M', 'prepared', `-c${connections}`, `-T${seconds}`, ...variables];
  return pgbench(url, scriptsOf(workload, count), options);
}

/**
 * Runs one statement as it is, again and again.
 *
 * @returns transactions a second
 * @throws Error when it fails
 */
export const runStatement = (
  url: string,
  statement: string,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> =>
  pgbench(url, [{ weight: 1, statement }], ['-M', 'simple', `-c${connections}`, `-T${seconds}`]);

async function pgbench(url: string, scripts: readonly Script[], options: string[]): Promise<number> {
  await using folder = await temporaryFolder();
  const files = await Promise.all(
    scripts.map(async ({ weight, statement }, index) => {
      const file = folder.file(`${index}.sql`);
      await writeFile(file, statement);
      return `-f${file}@${weight}`;
    }),
  );
  const { stdout } = await run('pgbench', ['-n', '-j1', ...options, ...files, url]);
  const [, rate] = /^tps = ([\d.]+)/m.exec(stdout) ?? [];
  const [, failed] = /failed transactions: (\d+)/.exec(stdout) ?? [];
  if (rate === undefined || Number(failed ?? 0) > 0) throw new Error(`pgbench failed: ${stdout}`);
  return Number(rate);
}
