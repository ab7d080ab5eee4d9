#!/usr/bin/env node
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Bench, createBench } from './bench.ts';
import { moveToLoadCore } from './cores.ts';
import { CACHED, DESCRIPTIONS, UNCACHED, type WorkloadName } from './load/workloads.ts';
import { describeMachine } from './machine.ts';
import { measureFleet } from './measure/fleet.ts';
import { measureGrowth } from './measure/growth.ts';
import { measureLatency } from './measure/latency.ts';
import { measureMemory } from './measure/memory.ts';
import { measurePostgres } from './measure/postgres.ts';
import { measurePostgresCost } from './measure/postgres-cost.ts';
import { measurePostgresCreations } from './measure/postgres-creations.ts';
import { measurePostgresGrowth } from './measure/postgres-growth.ts';
import { measureProcesses } from './measure/processes.ts';
import { measureStart } from './measure/start.ts';
import { measureThroughput } from './measure/throughput.ts';
import { OURS, PEERS } from './peers.ts';
import { formatTable, type Table } from './report/table.ts';

/** A table, or a line that says why there is none. */
type Result = Table | string;

interface Measurement {
  description: string;
  measure(bench: Bench): Promise<Result | Result[]>;
}

const MEASUREMENTS: Record<string, Measurement> = {
  latency: {
    description: 'p50 and p99 of list, get and create at a rate that is the same for all, uncached',
    measure: measureLatency,
  },
  start: {
    description: 'time from the start of the process until it accepts connections',
    measure: measureStart,
  },
  memory: {
    description: 'resident memory at rest, and its peak over all workloads',
    measure: measureMemory,
  },
  growth: {
    description: 'our server over 10 thousand and 1 million pets, uncached; with --large 10 million too',
    measure: measureGrowth,
  },
  postgres: {
    description: 'our server on PostgreSQL beside pgbench with the same statements, uncached',
    measure: measurePostgres,
  },
  'postgres-creations': {
    description: 'creations on PostgreSQL beside pgbench with our own statement, in groups as large as ours',
    measure: measurePostgresCreations,
  },
  'postgres-cost': {
    description: 'processor time of our server, PostgreSQL and its standbys for each request',
    measure: measurePostgresCost,
  },
  'postgres-growth': {
    description: 'the same over 1 million pets, and their disk; with --large 10 and 50 million too',
    measure: measurePostgresGrowth,
  },
  processes: {
    description: 'one process, WORKERS=2 and two servers on one database, uncached, on both engines',
    measure: measureProcesses,
  },
  fleet: {
    description:
      'creations of 1, 4 and 16 servers near to and far from PostgreSQL, with and without a standby',
    measure: measureFleet,
  },
};

const isWorkload = (name: string): name is WorkloadName => name in DESCRIPTIONS;
const WORKLOADS = [...Object.keys(UNCACHED), ...Object.keys(CACHED)].filter(isWorkload);
const NAMES = [...WORKLOADS, ...Object.keys(MEASUREMENTS)];

interface Options {
  only: string[];
  peers: string[];
  rounds: number;
  warmUp: number;
  seconds: number;
  connections: number;
  pets: number;
  large: boolean;
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new InvalidArgumentError('It must be a positive integer.');
  return Number(text);
}

const entries = (descriptions: [string, string][]) =>
  descriptions.map(([name, description]) => `  ${name.padEnd(22)} ${description}`).join('\n');

const HELP = `
Workloads, in requests a second:
${entries(WORKLOADS.map((name) => [name, DESCRIPTIONS[name]]))}

Other measurements:
${entries(Object.entries(MEASUREMENTS).map(([name, { description }]) => [name, description]))}

Peers, beside our server:
${entries(PEERS.map(({ id, name }) => [id, name]))}

Examples:
  pnpm bench > figures.md                                    everything, about an hour
  pnpm bench --only list get --peers fastify-tuned --rounds 1
  pnpm bench --only postgres

Tables are Markdown and go to standard output; progress goes to standard error.`;

const options = new Command('bench')
  .description('Measures the Pet Store service beside its peers on this machine.')
  .addOption(
    new Option('--only <names...>', 'measure only these workloads and measurements')
      .choices(NAMES)
      .default(NAMES, 'all'),
  )
  .addOption(
    new Option('--peers <names...>', 'measure only these beside our server')
      .choices(PEERS.map(({ id }) => id))
      .default(
        PEERS.map(({ id }) => id),
        'all',
      ),
  )
  .option(
    '--rounds <number>',
    'how often each server is measured; the tables show medians',
    positiveInteger,
    3,
  )
  .option('--warm-up <requests>', 'requests of each workload that do not count', positiveInteger, 15_000)
  .option('--seconds <number>', 'how long each workload runs after the warm-up', positiveInteger, 5)
  .option('--connections <number>', 'connections of the load generator', positiveInteger, 32)
  .option('--pets <number>', 'pets in the database at the start', positiveInteger, 200_000)
  .option('--large', 'growth beyond 1 million pets too (up to 30 GB of disk, many minutes)', false)
  .addHelpText('after', HELP)
  .parse()
  .opts<Options>();

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
moveToLoadCore();
console.log(`${describeMachine()}\n`);
const bench = createBench({
  ...options,
  peers: [OURS, ...PEERS.filter(({ id }) => options.peers.includes(id))],
  report: (line) => console.error(line),
});

const workloads = WORKLOADS.filter((name) => options.only.includes(name));
if (workloads.length > 0) print(await measureThroughput(bench, workloads));
for (const [name, { measure }] of Object.entries(MEASUREMENTS)) {
  if (options.only.includes(name)) print(await measure(bench));
}

function print(results: Result | Result[]): void {
  for (const result of [results].flat()) {
    console.log(`${typeof result === 'string' ? result : formatTable(result)}\n`);
  }
}
