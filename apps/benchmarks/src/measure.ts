import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkResponses } from './check-responses.ts';
import { runWorkload, WORKLOADS, type WorkloadName } from './load.ts';
import type { Peer } from './peers.ts';
import { memoryOf } from './processes.ts';
import { Figures } from './report.ts';
import { SEEDED, seedSqlite } from './seed.ts';
import { startServer } from './start-server.ts';

const DATA = fileURLToPath(new URL('../data/', import.meta.url));
const REST_MS = 500;

export interface MeasureOptions {
  rounds: number;
  /** How long each workload runs after the warm-up. */
  seconds: number;
}

/**
 * Creates a folder for databases and logs, which is removed when this process ends. The system's temporary folder may
 * be in memory, where a durable commit costs nothing.
 */
export function createFolder(): string {
  mkdirSync(DATA, { recursive: true });
  const folder = mkdtempSync(join(DATA, 'run-'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Measures every server in each round, in a new process on a fresh copy of one database. Every other round goes
 * backwards, so that no server always follows the same one.
 * @throws Error when a response is wrong before or after the load, or fails under load
 */
export async function measurePeers(
  { rounds, seconds }: MeasureOptions,
  peers: readonly Peer[],
  workloads: readonly WorkloadName[],
): Promise<Figures[]> {
  const less = { isLessBetter: true };
  const rates = new Figures('Requests a second');
  const processorTimes = new Figures('Microseconds of processor time for each request', less);
  const memory = new Figures('Resident megabytes', less);
  const start = new Figures('Milliseconds from the start of the process until it accepts connections', less);
  const folder = createFolder();
  const original = join(folder, 'original.db');
  await seedSqlite(original, SEEDED);
  for (let round = 1; round <= rounds; round += 1) {
    for (const peer of round % 2 === 1 ? peers : peers.toReversed()) {
      console.error(`Round ${round} of ${rounds}: ${peer.name}`);
      const own = join(folder, 'server');
      const file = join(own, 'petstore.db');
      rmSync(own, { recursive: true, force: true });
      mkdirSync(own);
      copyFileSync(original, file);
      await using server = await startServer(peer, `sqlite:${file}`, join(own, 'log'));
      start.add(peer.name, 'start', server.startMs);
      await checkResponses(server.petsUrl, SEEDED);
      await sleep(REST_MS);
      memory.add(peer.name, 'at rest', memoryOf(server.pid, 'VmRSS'));
      for (const name of workloads) {
        const { requestsPerSecond, processorMicroseconds } = await runWorkload(seconds, server, name);
        const { heading } = WORKLOADS[name];
        rates.add(peer.name, heading, requestsPerSecond);
        processorTimes.add(peer.name, heading, processorMicroseconds);
      }
      memory.add(peer.name, 'peak under load', memoryOf(server.pid, 'VmHWM'));
      await checkResponses(server.petsUrl, SEEDED);
    }
  }
  return [rates, processorTimes, memory, start];
}
