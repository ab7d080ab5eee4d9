import type { PostgresServer } from '@petstore/test-support/databases/postgres-server';
import { startDelayingProxy } from '@petstore/test-support/proxies/delaying-proxy';
import type { Bench } from '../bench.ts';
import { onAllCores, onSameCores } from '../cores.ts';
import { observeProcessorSeconds, startDurablePostgres } from '../data/postgres.ts';
import { seedPostgres } from '../data/seed.ts';
import { createAtFleet, type FleetResult } from '../load/fleet.ts';
import { OURS } from '../peers.ts';
import { hasUsage } from '../process-usage.ts';
import { Measurements } from '../report/comparison.ts';
import { median } from '../report/statistics.ts';
import { formatCount, type Table } from '../report/table.ts';
import { type RunningServer, startServer } from '../start-server.ts';

const SERVERS = [1, 4, 16];
const CALLERS = 8;
const WARM_UP_MS = 3_000;

interface Case {
  name: string;
  /** What each direction of the network between the servers and PostgreSQL takes. */
  distanceMs: number;
  /** Whether a commit waits for a standby. */
  isSynchronous: boolean;
}

const CASES: readonly Case[] = [
  { name: 'near', distanceMs: 0, isSynchronous: false },
  { name: '5 ms away', distanceMs: 5, isSynchronous: false },
  { name: 'near, synchronous standby', distanceMs: 0, isSynchronous: true },
  { name: '5 ms away, synchronous standby', distanceMs: 5, isSynchronous: true },
];

const nameOf = (count: number) => `${count} server${count === 1 ? '' : 's'}`;
const latencyOf = (count: number) => `p50 of ${count}, ms`;
const costOf = (count: number) => `CPU of ${count}, µs`;
const HEADINGS = SERVERS.flatMap((count) => [nameOf(count), latencyOf(count), costOf(count)]);

/**
 * Creations a second of servers that share a PostgreSQL, and its processor time for each. Every process may use every
 * core.
 */
export async function measureFleet(bench: Bench): Promise<string | [Table, string]> {
  if (!hasUsage) return 'Fleet: skipped, this system has no /proc.';
  bench.report('Fleet: starting');
  await using postgres = await startDurablePostgres();
  const apiKey = await seedPostgres(postgres.url, bench.pets);
  const secondsOf = await observeProcessorSeconds(postgres);
  await using _standby = await onAllCores(() => postgres.startStandby());
  const measurements = new Measurements();
  let refused = 0;
  const walBefore = await readWalPosition(postgres);
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const options of CASES) {
      await setSynchronous(postgres, options.isSynchronous);
      for (const count of SERVERS) {
        bench.report(`Fleet, round ${round} of ${bench.rounds}: ${options.name}, ${nameOf(count)}`);
        const before = secondsOf();
        const result = await onAllCores(() => measureCase(bench, postgres, apiKey, options, count));
        const cost = ((secondsOf() - before) * 1_000_000) / result.created;
        refused += result.refused;
        measurements.add(options.name, nameOf(count), result.creationsPerSecond);
        measurements.add(options.name, latencyOf(count), result.p50Ms);
        measurements.add(options.name, costOf(count), cost);
      }
    }
  }
  const rows = measurements
    .of(CASES)
    .map(({ name, values }) => [
      name,
      ...HEADINGS.map((heading) => formatCount(median(values.get(heading) ?? []))),
    ]);
  const title = `Fleet: creations a second with Idempotency-Keys, ${CALLERS} callers for each server`;
  const disk = await describeDisk(postgres, walBefore);
  return [{ title, columns: ['', ...HEADINGS], rows }, `${disk} ${formatCount(refused)} were refused (503).`];
}

/** Starts so many servers, lets callers create pets, and stops them. */
async function measureCase(
  bench: Bench,
  postgres: PostgresServer,
  apiKey: string,
  { distanceMs }: Case,
  count: number,
): Promise<FleetResult> {
  const url = new URL(postgres.url);
  await using proxy = await startDelayingProxy(Number(url.port), distanceMs);
  if (distanceMs > 0) url.port = new URL(proxy.origin).port;
  await using stack = new AsyncDisposableStack();
  const servers: RunningServer[] = [];
  for (let index = 0; index < count; index += 1) {
    const environment = { DATABASE_URL: url.href, NODE_ENV: 'production' };
    const server = await startServer(OURS, bench.file(`fleet-${index}`), environment, onSameCores);
    servers.push(stack.use(server));
  }
  const [newest] = await postgres.query('select max(id) as id from pets');
  const load = { apiKey, callers: CALLERS, newestId: Number(newest?.id), warmUpMs: WARM_UP_MS };
  // Awaited here: the servers end with this function.
  return await createAtFleet(servers, { ...load, seconds: bench.seconds });
}

async function setSynchronous(postgres: PostgresServer, isSynchronous: boolean): Promise<void> {
  await postgres.query(`alter system set synchronous_standby_names = '${isSynchronous ? '*' : ''}'`);
  await postgres.query('select pg_reload_conf()');
}

/** Bytes of the write-ahead log since the server was made. */
async function readWalPosition(postgres: PostgresServer): Promise<number> {
  const [row] = await postgres.query("select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes");
  return Number(row?.bytes);
}

async function describeDisk(postgres: PostgresServer, walBefore: number): Promise<string> {
  const wal = (await readWalPosition(postgres)) - walBefore;
  const [row] = await postgres.query(
    `select count(*) as count, pg_total_relation_size('idempotency_records') as bytes from idempotency_records`,
  );
  const each = (bytes: number) => formatCount(bytes / Number(row?.count));
  return `Each of these creations took ${each(Number(row?.bytes))} bytes of idempotency records, and ${each(wal)} of write-ahead log.`;
}
