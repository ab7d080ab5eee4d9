#!/usr/bin/env node
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { createRunFolder } from '../data/run-folder.ts';
import { drawSoak, formatAssessment } from './picture.ts';
import { ENGINES, type Engine, soak } from './soak.ts';
import { isPassed } from './verdict.ts';

interface Options {
  engine: Engine;
  minutes: number;
  rate: number;
  pets: number;
  output?: string;
}

function positiveNumber(text: string): number {
  if (!/^\d{0,7}(?:\.\d+)?$/.test(text) || !(Number(text) > 0)) {
    throw new InvalidArgumentError('It must be a positive number.');
  }
  return Number(text);
}

const { engine, minutes, rate, pets, output } = new Command('soak')
  .description('Runs the service under load through a kill, a restore, a failover and so on, and draws it.')
  .addOption(new Option('--engine <name>', 'the database').choices(Object.keys(ENGINES)).default('sqlite'))
  .option('--minutes <number>', 'the length of the run', positiveNumber, 60)
  .option('--rate <number>', 'calls a second, of which a sixth are creations', positiveNumber, 200)
  .option('--pets <number>', 'pets in the database at the start', positiveNumber, 10_000)
  .option('--output <folder>', 'where picture, samples and log go (default: data/soak-<engine>)')
  .addHelpText(
    'after',
    `
Examples:
  pnpm soak                                  an hour on SQLite
  pnpm soak --engine postgres --minutes 10

The full disk needs root on Linux, which may mount one. The exit code is 1 when a promise was broken.`,
  )
  .parse()
  .opts<Options>();

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const folder = resolve(output ?? `data/soak-${engine}`);
mkdirSync(folder, { recursive: true });
// The log of an earlier run would be continued.
rmSync(join(folder, 'server.log'), { force: true });
const { file } = createRunFolder();
const result = await soak({
  engine,
  seconds: 60 * minutes,
  rate,
  pets: Math.round(pets),
  file,
  log: join(folder, 'server'),
  report: (line) => console.error(line),
});
writeFileSync(join(folder, `soak-${engine}.svg`), drawSoak(result));
writeFileSync(join(folder, `soak-${engine}.json`), JSON.stringify(result));
for (const assessment of result.assessments) console.log(formatAssessment(assessment));
for (const example of result.examples) console.log(`  ${example}`);
const megabytes = Math.round((process.resourceUsage().maxRSS * 1024) / 1_000_000);
console.log(`This program itself took ${megabytes} MB at most. See ${folder}.`);
process.exit(isPassed(result.assessments) ? 0 : 1);
