#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { v1 } from '@petstore/contract';
import { Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import type { Check } from './check.ts';
import { checksByPrefix, scopeChecks } from './checks/index.ts';
import { reporters } from './reporters/index.ts';
import { probeTarget } from './run/probe-target.ts';
import { type Result, runChecks } from './run/run.ts';
import { RunError } from './run/run-error.ts';

const FAILURE = 1;
/** Wrong options, or a run that could not begin or could not go on. */
const NO_VERDICT = 2;

const Package = z.object({ version: z.string() });
const { version } = Package.parse(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
);

const Options = z.object({
  baseUrl: z.string().optional(),
  apiKey: z.string().optional(),
  readApiKey: z.string().optional(),
  readOnly: z.boolean().default(false),
  only: z.string().default(''),
  skip: z.string().optional(),
  list: z.boolean().default(false),
  timeLimit: z.number(),
  totalTimeLimit: z.number(),
  reporter: z.enum(['lines', 'github', 'junit']),
});

const program = new Command('petstore-conformance')
  .description('Holds a deployment of the Pet Store interface to its contract.')
  .version(version)
  .option('--base-url <url>', 'base URL of the deployment, version prefix included', parseBaseUrl)
  .addOption(new Option('--api-key <key>', 'an API key that the deployment accepts').env('PETSTORE_API_KEY'))
  .addOption(
    new Option('--read-api-key <key>', 'an API key that may only read, for the checks of scopes').env(
      'PETSTORE_READ_API_KEY',
    ),
  )
  .option('--read-only', 'only checks that leave the store as it is')
  .option('--only <text>', 'only checks whose name or citation contains the text')
  .option('--skip <text>', 'not the checks whose name or citation contains the text')
  .option('--list', 'print the checks and run none')
  .option('--time-limit <seconds>', 'how long one check may take', parseSeconds, 60)
  .option('--total-time-limit <seconds>', 'how long all checks together may take', parseSeconds, 900)
  .addOption(new Option('--reporter <name>').choices(Options.shape.reporter.options).default('lines'))
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : NO_VERDICT))
  .parse();

const options = Options.parse(program.opts());

const selected = checksOf(options.baseUrl).filter((check) => {
  const { name, cites, readOnly } = check;
  const mentions = (text: string) => `${name} (${cites})`.toLowerCase().includes(text.toLowerCase());
  if (options.readOnly && !readOnly) return false;
  if (options.readApiKey === undefined && scopeChecks.includes(check)) return false;
  return mentions(options.only) && !(options.skip && mentions(options.skip));
});
if (selected.length === 0) program.error('error: no check is selected');

if (options.list) {
  for (const { name, cites } of selected) console.log(`${name} (${cites})`);
} else {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    console.error(`error: ${oneLine(error.message)}`);
    process.exitCode = NO_VERDICT;
  }
  // Whatever a check left open must not keep the command from ending.
  setTimeout(() => process.exit(), 1_000).unref();
}

async function run(): Promise<void> {
  const { baseUrl, apiKey, readApiKey, timeLimit, totalTimeLimit, reporter } = options;
  if (baseUrl === undefined) return program.error("error: required option '--base-url <url>' not specified");
  if (apiKey === undefined) return program.error("error: required option '--api-key <key>' not specified");
  const target = { baseUrl, apiKey, readApiKey, fetch };
  await probeTarget(target);

  const counts = { passed: 0, failed: 0 };
  let interruption: unknown;
  // What came before an interruption is reported all the same.
  async function* counted(): AsyncGenerator<Result> {
    const limits = { timeLimit: timeLimit * 1000, totalTimeLimit: totalTimeLimit * 1000 };
    try {
      for await (const result of runChecks(target, { checks: selected, ...limits })) {
        counts[result.passed ? 'passed' : 'failed'] += 1;
        yield result;
      }
    } catch (error) {
      interruption = error;
    }
  }
  for await (const text of reporters[reporter](counted())) console.log(text);

  const notRun = selected.length - counts.passed - counts.failed;
  const summary = `${counts.passed} passed, ${counts.failed} failed${notRun > 0 ? `, ${notRun} not run` : ''}`;
  // The XML on standard output must stay one document.
  if (reporter === 'junit') console.error(summary);
  else console.log(summary);
  if (counts.failed > 0) process.exitCode = FAILURE;
  if (interruption !== undefined) throw interruption;
}

/** The checks of the version that a base URL ends with; those of version 1 where it ends with none. */
function checksOf(baseUrl = ''): readonly Check[] {
  const [prefix = v1.prefix] = /\/v\d+(?=\/?$)/.exec(baseUrl) ?? [];
  const checks = Object.entries(checksByPrefix).find(([name]) => name === prefix)?.[1];
  const known = Object.keys(checksByPrefix).join(', ');
  return checks ?? program.error(`error: there are no checks for ${prefix}, only for ${known}`);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new InvalidArgumentError('It must be an http or https URL.');
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 86_400) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds.');
}
