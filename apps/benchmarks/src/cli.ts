#!/usr/bin/env node
import { cpus } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CONNECTIONS, WORKLOADS, type WorkloadName } from './load.ts';
import { measurePostgres, measureSqlite } from './measure.ts';
import { OURS, PEERS } from './peers.ts';
import { canPin, LOAD_CORE, moveTo } from './processes.ts';
import { PET_COUNT } from './seed.ts';

const isWorkload = (name: string): name is WorkloadName => name in WORKLOADS;
const workloads = Object.keys(WORKLOADS).filter(isWorkload);
const names = [...workloads, 'postgres'];
const peers = PEERS.map(({ id }) => id);

const options = new Command('bench')
  .description('Measures the Pet Store service beside its peers on this machine. Tables are Markdown.')
  .addOption(new Option('--only <names...>', 'measure only these').choices(names).default(names, 'all'))
  .addOption(new Option('--peers <names...>', 'peers beside our server').choices(peers).default(peers, 'all'))
  .option('--rounds <number>', 'number of rounds; tables show the medians', positiveInteger, 3)
  .parse()
  .opts<{ only: string[]; peers: string[]; rounds: number }>();

moveTo(LOAD_CORE);
const pinning = canPin ? 'server and load generator on a core each' : 'server and load generator not pinned';
const [cpu] = cpus();
console.log(`${cpus().length} × ${cpu?.model.trim()}, Node.js ${process.versions.node}, ${pinning},`);
console.log(`${PET_COUNT} pets, ${CONNECTIONS} connections, ${options.rounds} rounds.\n`);

const wanted = workloads.filter((name) => options.only.includes(name));
const servers = [OURS, ...PEERS.filter(({ id }) => options.peers.includes(id))];
const tables = [
  ...(wanted.length > 0 ? await measureSqlite(options.rounds, servers, wanted) : []),
  ...(options.only.includes('postgres') ? await measurePostgres(options.rounds) : []),
];
for (const table of tables) console.log(`${table.format()}\n`);

function positiveInteger(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a positive integer.');
}
