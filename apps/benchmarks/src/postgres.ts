import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type PostgresServer, startPostgres } from '@petstore/test-support/databases/postgres-server';
import { checkResponses } from './check-responses.ts';
import { CONNECTIONS, runWorkload, WORKLOADS } from './load.ts';
import { createFolder, type MeasureOptions } from './measure.ts';
import { OURS } from './peers.ts';
import * as processes from './processes.ts';
import { Figures } from './report.ts';
import { SEEDED, seedPostgres } from './seed.ts';
import { startServer } from './start-server.ts';

const PGBENCH = 'pgbench, raw statements';

/** The backends of pgbench end some time after it, and while they end their processor time may be found nowhere. */
const BACKENDS_END_MS = 300;

/** The statements that give what our server responds with, in the language of pgbench. */
const COLUMNS = 'id, name, category_id, status';
const STATEMENTS = {
  list: `select ${COLUMNS} from pets where status = 'available' order by id limit 21;`,
  get: `\\set id random(1, ${SEEDED})\nselect ${COLUMNS} from pets where id = :id;`,
  create: `insert into pets (name, category_id, status) select 'Otter', 7, 'available'
    from generate_series(1, ${CONNECTIONS}) returning ${COLUMNS};`,
} as const;

/**
 * Measures our server on a PostgreSQL that commits durably and may use both cores, beside pgbench with raw statements
 * of the same result. As many pets are under way as our server has callers: those of its creations share a
 * transaction, and so pgbench creates them by one statement on one connection.
 */
export async function measurePostgres({ rounds, seconds }: MeasureOptions): Promise<Figures[]> {
  if (!processes.hasCommand('pgbench', '--version') || !processes.hasUsage) {
    console.error('PostgreSQL: skipped, it takes pgbench and Linux.');
    return [];
  }
  const rates = new Figures('PostgreSQL: lists, pets and creations a second');
  const less = { isLessBetter: true };
  const costs = new Figures('PostgreSQL: microseconds of its processor time for each', less);
  const own = new Figures('PostgreSQL: microseconds of the processor time of the server for each', less);
  const folder = createFolder();
  processes.moveTo(processes.BOTH_CORES);
  await using postgres = await startPostgres({ fsync: true });
  processes.moveTo(processes.LOAD_CORE);
  await seedPostgres(postgres, SEEDED);
  const secondsOf = await observeProcessorSeconds(postgres);
  await using server = await startServer(OURS, postgres.url, join(folder, 'log'));
  for (let round = 1; round <= rounds; round += 1) {
    await checkResponses(server.petsUrl, SEEDED);
    for (const name of ['list', 'get', 'create'] as const) {
      const { heading } = WORKLOADS[name];
      const before = secondsOf();
      const ours = await runWorkload(seconds, server, name);
      const between = secondsOf();
      const groupSize = name === 'create' ? CONNECTIONS : 1;
      console.error(`PostgreSQL, round ${round} of ${rounds}: ${heading}`);
      const start = secondsOf();
      const file = join(folder, `${name}.sql`);
      await writeFile(file, STATEMENTS[name]);
      const rate = groupSize * (await runPgbench(postgres.url, file, CONNECTIONS / groupSize, seconds));
      await sleep(BACKENDS_END_MS);
      rates.add(OURS.name, heading, ours.requestsPerSecond);
      rates.add(PGBENCH, heading, rate);
      costs.add(OURS.name, heading, ((between - before) * 1_000_000) / ours.responses);
      costs.add(PGBENCH, heading, ((secondsOf() - start) * 1_000_000) / (rate * seconds));
      own.add(OURS.name, heading, ours.processorMicroseconds);
    }
  }
  return [rates, costs, own];
}

/** @returns what gives the processor time that all processes of a PostgreSQL server have used, in seconds */
async function observeProcessorSeconds(postgres: PostgresServer): Promise<() => number> {
  const [row] = await postgres.query("select pid from pg_stat_activity where backend_type = 'checkpointer'");
  const pid = processes.parentOf(Number(row?.pid));
  return () => processes.processorSecondsOfFamily(pid);
}

/**
 * Runs a script again and again, prepared, each time in a transaction of its own.
 * @returns transactions a second
 * @throws Error when a statement fails
 */
async function runPgbench(url: string, file: string, connections: number, seconds: number): Promise<number> {
  const options = ['-n', '-j1', '-M', 'prepared', `-c${connections}`, `-T${seconds}`];
  const { stdout } = await promisify(execFile)('pgbench', [...options, '-f', file, url]);
  const [, rate] = /^tps = ([\d.]+)/m.exec(stdout) ?? [];
  const [, failed] = /failed transactions: (\d+)/.exec(stdout) ?? [];
  if (rate === undefined || Number(failed ?? 0) > 0) throw new Error(`pgbench failed: ${stdout}`);
  return Number(rate);
}
