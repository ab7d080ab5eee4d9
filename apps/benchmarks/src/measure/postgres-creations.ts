import type { PostgresServer } from '@petstore/test-support/databases/postgres-server';
import type { Bench } from '../bench.ts';
import { observeProcessorSeconds, startDurablePostgres } from '../data/postgres.ts';
import { seedPostgres } from '../data/seed.ts';
import { hasPgbench, runStatement } from '../load/pgbench.ts';
import type { Workload } from '../load/template.ts';
import { createWorkloads } from '../load/workloads.ts';
import { OURS } from '../peers.ts';
import { hasUsage } from '../process-usage.ts';
import { median, spread } from '../report/statistics.ts';
import { formatCount, formatPercent, formatRatio, type Table } from '../report/table.ts';
import { type RunningServer, startServer } from '../start-server.ts';
import { runWorkload, warmUp } from './run-workload.ts';

/** Groups of creations that our server has under way at most. */
const MAX_CONCURRENT_APPENDS = 2;

/** What one side yields in a round. */
interface Figures {
  creationsPerSecond: number;
  groupSize: number;
  /** Microseconds of processor time for each creation. */
  costOfPostgres: number;
  costOfServer?: number | undefined;
}

/**
 * Creations of our server on PostgreSQL, beside those of pgbench with the statement of our server in groups of the
 * same size: what HTTP and all that follows from it cost.
 */
export async function measurePostgresCreations(bench: Bench): Promise<Table | string> {
  if (!hasPgbench || !hasUsage) return 'Creations on PostgreSQL: skipped, they take pgbench and /proc.';
  bench.report('Creations on PostgreSQL: starting');
  await using postgres = await startDurablePostgres();
  const apiKey = await seedPostgres(postgres.url, bench.pets);
  await using server = await startServer(OURS, bench.file('creations'), { DATABASE_URL: postgres.url });
  const { create } = createWorkloads(apiKey, bench.pets);
  await warmUp(bench, { ...bench, port: server.port, workload: create });
  const secondsOf = await observeProcessorSeconds(postgres);
  const ours: Figures[] = [];
  const theirs: Figures[] = [];
  for (let round = 1; round <= bench.rounds; round += 1) {
    bench.report(`Creations on PostgreSQL, round ${round} of ${bench.rounds}`);
    const figures = await measureOurs(bench, postgres, server, create, secondsOf);
    ours.push(figures);
    const statement = await readStatement(postgres, server, apiKey);
    theirs.push(await measurePgbench(bench, postgres, statement, figures.groupSize, secondsOf));
  }
  return {
    title: `PostgreSQL: creations over ${formatCount(bench.pets)} pets (${bench.connections} connections)`,
    columns: ['', 'a second', 'ours is', 'spread', 'in a group', 'µs of PostgreSQL', 'µs of the server'],
    rows: [rowOf(OURS.name, ours, ours), rowOf('pgbench, the same statement', theirs, ours)],
  };
}

async function measureOurs(
  bench: Bench,
  postgres: PostgresServer,
  server: RunningServer,
  create: Workload,
  secondsOf: () => number,
): Promise<Figures> {
  const [newest] = await postgres.query('select max(id) as id from pets');
  const before = secondsOf();
  // The server stays warm from round to round.
  const result = await runWorkload({ ...bench, warmUp: bench.connections }, server, create);
  const seconds = secondsOf() - before;
  const [groups] = await postgres.query(
    `select count(*)::float / count(distinct xmin::text) as size from pets where id > ${String(newest?.id)}`,
  );
  return {
    creationsPerSecond: result.requestsPerSecond,
    groupSize: Math.round(Number(groups?.size)),
    costOfPostgres: (seconds * 1_000_000) / result.responses,
    costOfServer: result.processorMicroseconds,
  };
}

/** The statement with which our server creates one pet. */
async function readStatement(postgres: PostgresServer, { petsUrl }: RunningServer, apiKey: string) {
  const response = await fetch(petsUrl, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ñandú 00000001', categoryId: 7, status: 'available' }),
  });
  await response.body?.cancel();
  const [row] = await postgres.query(
    `select query from pg_stat_activity where query like '%"append\\_pets\\_%' and pid <> pg_backend_pid()
     order by query_start desc limit 1`,
  );
  return String(row?.query);
}

async function measurePgbench(
  { seconds }: Bench,
  { url }: PostgresServer,
  statement: string,
  groupSize: number,
  secondsOf: () => number,
): Promise<Figures> {
  const before = secondsOf();
  const options = { connections: MAX_CONCURRENT_APPENDS, seconds };
  const creationsPerSecond = groupSize * (await runStatement(url, repeatPet(statement, groupSize), options));
  const costOfPostgres = ((secondsOf() - before) * 1_000_000) / (creationsPerSecond * seconds);
  return { creationsPerSecond, groupSize, costOfPostgres };
}

/** Turns the statement that creates one pet into one that creates several. */
function repeatPet(statement: string, count: number): string {
  const [, start, pet, end] = /^(.*'\[)(\{.*\})(\]'.*)$/s.exec(statement) ?? [];
  if (pet === undefined) throw new Error(`Not the statement of a creation: ${statement}`);
  return `${start}${Array<string>(count).fill(pet).join()}${end}`;
}

function rowOf(name: string, figures: readonly Figures[], ours: readonly Figures[]): string[] {
  const rates = figures.map(({ creationsPerSecond }) => creationsPerSecond);
  const rate = median(rates);
  const costs = figures.flatMap(({ costOfServer }) => costOfServer ?? []);
  return [
    name,
    formatCount(rate),
    formatRatio(median(ours.map(({ creationsPerSecond }) => creationsPerSecond)) / rate),
    formatPercent(spread(rates)),
    formatCount(median(figures.map(({ groupSize }) => groupSize))),
    formatCount(median(figures.map(({ costOfPostgres }) => costOfPostgres))),
    costs.length === 0 ? '' : formatCount(median(costs)),
  ];
}
