import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '@petstore/test-support/databases/postgres-server';
import { checkResponses } from './check-responses.ts';
import { runWorkload, WORKLOADS } from './load.ts';
import { createFolder, type MeasureOptions } from './measure.ts';
import { FASTIFY, OURS } from './peers.ts';
import * as processes from './processes.ts';
import { Figures } from './report.ts';
import { SEEDED, seedPostgres } from './seed.ts';
import { startServer } from './start-server.ts';

const FASTIFY_ON_POSTGRES = { ...FASTIFY, name: 'Fastify over `pg.Pool` with our visible promises' };

/** Measures our server beside a peer, on one PostgreSQL that commits durably and may use both cores. */
export async function measurePostgres({ rounds, seconds }: MeasureOptions): Promise<Figures[]> {
  const rates = new Figures('PostgreSQL: requests a second');
  const costs = new Figures('PostgreSQL: microseconds of processor time of server and database for each', {
    isLessBetter: true,
  });
  const folder = createFolder();
  processes.moveTo(processes.BOTH_CORES);
  await using postgres = await startPostgres({ fsync: true });
  processes.moveTo(processes.LOAD_CORE);
  await seedPostgres(postgres, SEEDED);
  const databaseSeconds = await observeProcessorSeconds(postgres);
  for (let round = 1; round <= rounds; round += 1) {
    const peers = [OURS, FASTIFY_ON_POSTGRES];
    for (const peer of round % 2 === 1 ? peers : peers.toReversed()) {
      console.error(`PostgreSQL, round ${round} of ${rounds}: ${peer.name}`);
      await using server = await startServer(peer, postgres.url, join(folder, 'log'));
      await checkResponses(server.petsUrl, SEEDED);
      const processorSeconds = () => databaseSeconds() + processes.processorSecondsOf(server.pid);
      for (const name of ['list', 'get', 'create'] as const) {
        const { heading } = WORKLOADS[name];
        const figures = await runWorkload(seconds, server, name, processorSeconds);
        rates.add(peer.name, heading, figures.requestsPerSecond);
        costs.add(peer.name, heading, figures.processorMicroseconds);
      }
    }
  }
  return [rates, costs];
}

/** @returns a function for the processor time of all processes of PostgreSQL, in seconds; NaN if unknown */
async function observeProcessorSeconds(postgres: PostgresServer): Promise<() => number> {
  if (!processes.hasUsage) return () => Number.NaN;
  const [row] = await postgres.query("select pid from pg_stat_activity where backend_type = 'checkpointer'");
  const pid = processes.parentOf(Number(row?.pid));
  return () => processes.processorSecondsOfFamily(pid);
}
