#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { v1 } from '@petstore/contract';
import { Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { type Check, isOfInterface } from './check.ts';
import { checksByPrefix, scopeChecks } from './checks/index.ts';
import { reporters } from './reporters/index.ts';
import { oneLine } from './reporters/lines.ts';
import { findingsOf } from './run/findings.ts';
import { probeTarget } from './run/probe-target.ts';
import { type Result, runChecks } from './run/run.ts';
import { RunError } from './run/run-error.ts';
import { findBaseUrlFault, findKeyFault } from './target-faults.ts';

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
  profile: z.enum(['full', 'interface']),
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
  .addOption(
    new Option('--profile <name>', 'interface: only what the interface document says')
      .choices(Options.shape.profile.options)
      .default('full'),
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
  if (options.profile === 'interface' && !isOfInterface(check)) return false;
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
  const { baseUrl, timeLimit, totalTimeLimit, reporter } = options;
  if (baseUrl === undefined) return program.error("error: required option '--base-url <url>' not specified");
  const readApiKey =
    options.readApiKey === undefined ? undefined : keyOf('readApiKey', 'PETSTORE_READ_API_KEY');
  const target = { baseUrl, apiKey: keyOf('apiKey', 'PETSTORE_API_KEY'), readApiKey, fetch };
  await probeTarget(target);

  const results: Result[] = [];
  let interruption: unknown;
  // What came before an interruption is reported all the same.
  async function* collected(): AsyncGenerator<Result> {
    const limits = { timeLimit: timeLimit * 1000, totalTimeLimit: totalTimeLimit * 1000 };
    try {
      for await (const result of runChecks(target, { checks: selected, ...limits })) {
        results.push(result);
        yield result;
      }
    } catch (error) {
      interruption = error;
    }
  }
  for await (const text of reporters[reporter](collected())) console.log(text);

  // The XML on standard output must stay one document.
  if (reporter === 'junit') console.error(summaryOf(results));
  else console.log(summaryOf(results));
  if (results.some(({ passed }) => !passed)) process.exitCode = FAILURE;
  if (interruption !== undefined) throw interruption;
}

/** As in `32 passed, 3 failed (1 finding), 4 not run`. */
function summaryOf(results: readonly Result[]): string {
  const failed = results.filter(({ passed }) => !passed).length;
  const findings = findingsOf(results).length;
  const notRun = selected.length - results.length;
  return [
    `${results.length - failed} passed, ${failed} failed`,
    findings > 0 ? ` (${findings} ${findings === 1 ? 'finding' : 'findings'})` : '',
    notRun > 0 ? `, ${notRun} not run` : '',
  ].join('');
}

/** An API key of the options, which the messages call as the caller gave it. */
function keyOf(option: 'apiKey' | 'readApiKey', variable: string): string {
  const key = options[option];
  if (key === undefined) return program.error(`error: there is no API key: set ${variable}`);
  const fault = findKeyFault(key);
  const name = program.getOptionValueSource(option) === 'env' ? variable : 'the API key of the command line';
  return fault === undefined ? key : program.error(`error: ${name} ${fault}`);
}

/** The checks of the version that a base URL ends with; those of version 1 where it ends with none. */
function checksOf(baseUrl = ''): readonly Check[] {
  const [prefix = v1.prefix] = /\/v\d+(?=\/?$)/.exec(baseUrl) ?? [];
  const checks = Object.entries(checksByPrefix).find(([name]) => name === prefix)?.[1];
  const known = Object.keys(checksByPrefix).join(', ');
  return checks ?? program.error(`error: there are no checks for ${prefix}, only for ${known}`);
}

function parseBaseUrl(text: string): string {
  const fault = findBaseUrlFault(text);
  if (fault !== undefined) throw new InvalidArgumentError(`It ${fault}.`);
  return text;
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 86_400) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds.');
}
