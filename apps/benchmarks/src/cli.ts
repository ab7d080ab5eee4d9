#!/usr/bin/env node
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Bench, createBench } from './bench.ts';
import { takeLoadCore } from './cores.ts';
import { OPERATIONS, type Operation } from './load/operations.ts';
import { describeMachine } from './machine.ts';
import { measureGrowth } from './measure/growth.ts';
import { measureLatency } from './measure/latency.ts';
import { measureMemory } from './measure/memory.ts';
import { measurePostgres } from './measure/postgres.ts';
import { measureStart } from './measure/start.ts';
import { measureThroughput } from './measure/throughput.ts';
import { formatTable, type Table } from './report/table.ts';

/** A table, or a line that says why there is none. */
type Result = Table | string;

const MEASUREMENTS: Record<string, (bench: Bench) => Promise<Result | Result[]>> = {
  latency: measureLatency,
  start: measureStart,
  memory: measureMemory,
  growth: measureGrowth,
  postgres: measurePostgres,
};

const NAMES = [...OPERATIONS, ...Object.keys(MEASUREMENTS)];

interface Options {
  only: string[];
  rounds: number;
  seconds: number;
  connections: number;
  large?: true;
}

function positive(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a positive integer.');
  return Number(text);
}

const {
  only,
  large = false,
  ...sizes
} = new Command('bench')
  .description('Measures the Pet Store service beside its peers')
  .addOption(new Option('--only <names...>', 'measure only these').choices(NAMES).default(NAMES, 'all'))
  .option('--rounds <number>', 'how often each server is measured', positive, 3)
  .option('--seconds <number>', 'how long each load lasts', positive, 5)
  .option('--connections <number>', 'connections of the load generator', positive, 32)
  .option('--large', 'growth up to 10 million animals too (2 GB of disk, minutes)')
  .parse()
  .opts<Options>();

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
takeLoadCore();
console.log(`${describeMachine()}\n`);
const bench = createBench({ ...sizes, large, say: (line) => console.error(line) });

const operations = OPERATIONS.filter((operation: Operation) => only.includes(operation));
if (operations.length > 0) print(await measureThroughput(bench, operations));
for (const [name, measure] of Object.entries(MEASUREMENTS)) {
  if (only.includes(name)) print(await measure(bench));
}

function print(results: Result | Result[]): void {
  for (const result of [results].flat()) {
    console.log(`${typeof result === 'string' ? result : formatTable(result)}\n`);
  }
}
