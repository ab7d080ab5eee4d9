import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type PostgresServer, startPostgres } from '@petstore/test-support/databases/postgres-server';
import { checkResponses } from './check-responses.ts';
import { runWorkload, WORKLOADS, type WorkloadName } from './load.ts';
import { FASTIFY_WITH_HEADERS, OURS, type Peer } from './peers.ts';
import * as processes from './processes.ts';
import { Figures } from './report.ts';
import { PET_COUNT, seedPostgres, seedSqlite } from './seed.ts';
import { startServer } from './start-server.ts';

const DATA = fileURLToPath(new URL('../data/', import.meta.url));
/** How long a server has no requests before its memory at rest is read. */
const REST_MS = 500;

interface Measurement {
  /** Begins the title of each table. */
  database: string;
  servers: readonly Peer[];
  workloads: readonly WorkloadName[];
  /** Prepares the database of a server, and returns its URL. */
  prepare(): string;
  /** Returns the seconds of processor time that the database's processes have used; 0 if it has none. */
  databaseSeconds(): number;
}

/**
 * Creates a folder for databases and logs, which is removed when this process ends. The system's temporary folder may
 * be in memory, where a durable commit costs nothing.
 */
function createFolder(): string {
  mkdirSync(DATA, { recursive: true });
  const folder = mkdtempSync(join(DATA, 'run-'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Measures servers on SQLite, each on a fresh copy of one database. */
export async function measureSqlite(
  rounds: number,
  servers: readonly Peer[],
  workloads: readonly WorkloadName[],
): Promise<Figures[]> {
  const folder = createFolder();
  const original = join(folder, 'original.db');
  await seedSqlite(original, PET_COUNT);
  const prepare = () => {
    const own = join(folder, 'server');
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own);
    copyFileSync(original, join(own, 'petstore.db'));
    return `sqlite:${join(own, 'petstore.db')}`;
  };
  const measurement = { database: 'SQLite', servers, workloads, prepare, databaseSeconds: () => 0 };
  return measure(rounds, measurement, join(folder, 'log'));
}

/** Measures our server beside a peer, on one PostgreSQL that commits durably and may use both cores. */
export async function measurePostgres(rounds: number): Promise<Figures[]> {
  processes.moveTo(processes.BOTH_CORES);
  await using postgres = await startPostgres({ fsync: true });
  processes.moveTo(processes.LOAD_CORE);
  await seedPostgres(postgres, PET_COUNT);
  const measurement: Measurement = {
    database: 'PostgreSQL',
    servers: [OURS, { ...FASTIFY_WITH_HEADERS, name: 'Fastify over `pg.Pool` with our headers and log' }],
    workloads: ['list', 'get', 'create'],
    prepare: () => postgres.url,
    databaseSeconds: await observeProcessorSeconds(postgres),
  };
  // Awaited, because PostgreSQL ends with this block.
  return await measure(rounds, measurement, join(createFolder(), 'log'));
}

/**
 * Measures every server in each round, in a new process. Every other round goes backwards, so that no server always
 * follows the same one.
 * @throws Error when a response is wrong before or after the load, or fails under load
 */
async function measure(
  rounds: number,
  { database, servers, workloads, prepare, databaseSeconds }: Measurement,
  logFile: string,
): Promise<Figures[]> {
  const less = { isLessBetter: true };
  const rates = new Figures(`${database}: requests a second`);
  const cost = 'microseconds of processor time of server and database per request';
  const costs = new Figures(`${database}: ${cost}`, less);
  const memory = new Figures(`${database}: resident megabytes of the server`, less);
  const start = new Figures(`${database}: milliseconds until the server accepts connections`, less);
  for (let round = 1; round <= rounds; round += 1) {
    for (const peer of round % 2 === 1 ? servers : servers.toReversed()) {
      console.error(`${database}, round ${round} of ${rounds}: ${peer.name}`);
      await using server = await startServer(peer, prepare(), logFile);
      start.add(peer.name, 'start', server.startMs);
      await checkResponses(server.petsUrl, PET_COUNT);
      await sleep(REST_MS);
      memory.add(peer.name, 'at rest', processes.memoryOf(server.pid, 'VmRSS'));
      for (const name of workloads) {
        const processorSeconds = () => databaseSeconds() + processes.processorSecondsOf(server.pid);
        const figures = await runWorkload(server.port, name, processorSeconds);
        rates.add(peer.name, WORKLOADS[name].heading, figures.requestsPerSecond);
        costs.add(peer.name, WORKLOADS[name].heading, figures.processorMicroseconds);
      }
      memory.add(peer.name, 'peak under load', processes.memoryOf(server.pid, 'VmHWM'));
      await checkResponses(server.petsUrl, PET_COUNT);
    }
  }
  return [rates, costs, memory, start];
}

/** @returns a function for the processor time of all processes of PostgreSQL */
async function observeProcessorSeconds(postgres: PostgresServer): Promise<() => number> {
  // The first line is the id of the main process, whose children are all others.
  const [row] = await postgres.query("select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid");
  return () => processes.processorSecondsOfFamily(Number(row?.pid));
}
