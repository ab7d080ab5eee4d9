#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { drawChart } from './chart.ts';
import { WORKLOADS, type WorkloadName } from './load.ts';
import { type MeasureOptions, measurePeers } from './measure.ts';
import { OURS, PEERS } from './peers.ts';
import { measurePostgres, type PostgresWorkload } from './postgres.ts';
import { arePinned, LOAD_CORE, moveTo } from './processes.ts';
import type { Figures } from './report.ts';

const isWorkload = (name: string): name is WorkloadName => name in WORKLOADS;
const workloads = Object.keys(WORKLOADS).filter(isWorkload);
const names = [...workloads, 'memory', 'start', 'postgres', 'postgres-creations'];
const peers = PEERS.map(({ id }) => id);

interface Options extends Omit<MeasureOptions, 'report'> {
  only: string[];
  peers: string[];
  chart?: string;
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new InvalidArgumentError('It must be a positive integer.');
  return Number(text);
}

const options = new Command('bench')
  .description('Measures the Pet Store service beside its peers on this machine. Tables are Markdown.')
  .addOption(new Option('--only <names...>', 'measure only these').choices(names).default(names, 'all'))
  .addOption(new Option('--peers <names...>', 'beside our server').choices(peers).default(peers, 'all'))
  .option('--rounds <number>', 'how often all is measured; tables show medians', positiveInteger, 3)
  .option('--warm-up <requests>', 'requests of each workload that do not count', positiveInteger, 15_000)
  .option('--seconds <number>', 'how long each workload runs after the warm-up', positiveInteger, 5)
  .option('--connections <number>', 'connections of the load generator', positiveInteger, 32)
  .option('--pets <number>', 'pets in the database at the start, at least 120', positiveInteger, 200_000)
  .option('--chart <file>', 'draw the requests a second as an SVG picture')
  .parse()
  .opts<Options>();

moveTo(LOAD_CORE);
const cores = arePinned ? 'server and load generator on a core each' : 'server and load generator not pinned';
const [cpu] = cpus();
console.log(`${cpus().length} × ${cpu?.model.trim()}, Node.js ${process.versions.node}, ${cores},`);
console.log(`${options.pets} pets, ${options.connections} connections, ${options.rounds} rounds.\n`);

const isWanted = (name: string) => options.only.includes(name);
const wanted = workloads.filter(isWanted);
const measured = { ...options, report: (line: string) => console.error(line) };
if (wanted.length > 0 || isWanted('memory') || isWanted('start')) {
  const servers = [OURS, ...PEERS.filter(({ id }) => options.peers.includes(id))];
  // The peak of memory is that under all workloads, unless some are named.
  const needed = wanted.length === 0 && isWanted('memory') ? workloads : wanted;
  const tables = await measurePeers(measured, servers, needed);
  print(tables);
  if (options.chart !== undefined) writeFileSync(options.chart, drawChart(tables[0]));
}
const onPostgres: PostgresWorkload[] = [];
if (isWanted('postgres')) onPostgres.push('list', 'get');
if (isWanted('postgres-creations')) onPostgres.push('create');
if (onPostgres.length > 0) print(await measurePostgres(measured, onPostgres));

function print(tables: readonly Figures[]): void {
  for (const table of tables) if (table.columns.length > 0) console.log(`${table.format()}\n`);
}
