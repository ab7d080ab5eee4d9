import type { Bench } from '../bench.ts';
import { sendAtFixedRate } from '../load/fixed-rate.ts';
import { createWorkloads, UNCACHED } from '../load/workloads.ts';
import { compare, Measurements } from '../report/comparison.ts';
import { formatCount, formatMs, type Table } from '../report/table.ts';
import { inRounds } from './in-rounds.ts';
import { warmUp } from './run-workload.ts';

/** Requests a second that the slowest of the servers handles with ease. */
const RATES = { list: 1_000, get: 1_000, create: 300 } as const;
const WORKLOADS = ['list', 'get', 'create'] as const;

/**
 * How long a response takes, in milliseconds, at a rate that is the same for every server: one table for
 * each workload. The servers are warmed up under full load: a server in production is.
 */
export async function measureLatency(bench: Bench): Promise<Table[]> {
  const workloads = createWorkloads(bench.apiKey, bench.pets);
  const tables = WORKLOADS.map((name) => ({ name, measurements: new Measurements() }));
  await inRounds(bench, 'Latency', async (peer, { port }) => {
    for (const { name, measurements } of tables) {
      const workload = workloads[name];
      const load = { port, workload, connections: bench.connections };
      await warmUp(bench, load);
      const pace = { rate: RATES[name], seconds: bench.seconds };
      const { p50Ms, p99Ms } = await sendAtFixedRate(load, pace);
      measurements.add(peer.name, 'p50', p50Ms);
      measurements.add(peer.name, 'p99', p99Ms);
    }
  });
  return tables.map(({ name, measurements }) =>
    compare(
      `Latency of ${UNCACHED[name]}: milliseconds at ${formatCount(RATES[name])} requests a second, uncached`,
      measurements.of(bench.peers),
      'less is better',
      formatMs,
    ),
  );
}
