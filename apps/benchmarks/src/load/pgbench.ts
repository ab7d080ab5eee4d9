import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasCommand } from '../command.ts';
import type { Operation } from './operations.ts';

const run = promisify(execFile);

export const hasPgbench = hasCommand('pgbench');

/** A statement for each operation that gives what our server's gives; the server adds many animals with one. */
const scripts = (count: number): Record<Operation, string> => ({
  list: `select id, name, category_id, status from pets where status between :status and :status order by status, id limit 21;`,
  get: `\\set id random(1, ${count})\nselect id, name, category_id, status from pets where id = :id;`,
  create: `insert into pets (name, category_id, status) values (:name, 7, :status)
returning id, name, category_id, status;`.replaceAll('\n', ' '),
});

/**
 * Runs the statement of an operation with pgbench, prepared, each in a transaction of its own.
 *
 * @returns transactions a second
 * @throws Error when a statement fails
 */
export async function pgbench(
  url: string,
  operation: Operation,
  { clients, seconds, count }: { clients: number; seconds: number; count: number },
): Promise<number> {
  const script = join(tmpdir(), `petstore-pgbench-${randomUUID()}.sql`);
  await writeFile(script, scripts(count)[operation]);
  try {
    const options = ['-n', '-M', 'prepared', `-c${clients}`, '-j1', `-T${seconds}`, '-f', script];
    const { stdout } = await run('pgbench', [...options, '-Dstatus=available', '-Dname=Otter', url]);
    const [, rate] = /^tps = ([\d.]+)/m.exec(stdout) ?? [];
    const [, failed] = /failed transactions: (\d+)/.exec(stdout) ?? [];
    if (rate === undefined || Number(failed ?? 0) > 0) throw new Error(`pgbench failed: ${stdout}`);
    return Number(rate);
  } finally {
    await rm(script, { force: true });
  }
}
