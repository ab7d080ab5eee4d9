#!/usr/bin/env node
import { Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { checks, wireChecks } from './checks/index.ts';
import { reporters } from './reporters/index.ts';
import { type Result, runChecks } from './run.ts';

const BAD_USAGE = 2;

const Options = z.object({
  baseUrl: z.string(),
  apiKey: z.string(),
  readOnly: z.boolean().default(false),
  only: z.string().default(''),
  skip: z.string().optional(),
  timeLimit: z.number(),
  reporter: z.enum(['lines', 'junit']),
});

const program = new Command('petstore-conformance')
  .description('Holds a deployment of the Pet Store animals interface to its contract.')
  .requiredOption('--base-url <url>', 'base address of the deployment, /v1 included', parseBaseUrl)
  .addOption(
    new Option('--api-key <key>', 'an API key that the deployment accepts')
      .env('PETSTORE_API_KEY')
      .makeOptionMandatory(),
  )
  .option('--read-only', 'leave the store as it is: skip every check that adds animals')
  .option('--only <text>', 'only checks whose name or citation contains the text')
  .option('--skip <text>', 'not the checks whose name or citation contains the text')
  .option('--time-limit <seconds>', 'how long one check may take', parseSeconds, 60)
  .addOption(new Option('--reporter <name>').choices(Options.shape.reporter.options).default('lines'))
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : BAD_USAGE))
  .parse();

const options = Options.parse(program.opts());

const selected = [...checks, ...wireChecks].filter(({ name, cites, readOnly }) => {
  const mentions = (text: string) => `${name} (${cites})`.toLowerCase().includes(text.toLowerCase());
  if (options.readOnly && !readOnly) return false;
  return mentions(options.only) && !(options.skip && mentions(options.skip));
});
if (selected.length === 0) program.error('error: no check is selected');

const counts = { passed: 0, failed: 0 };

async function* counted(results: AsyncIterable<Result>): AsyncGenerator<Result> {
  for await (const result of results) {
    counts[result.passed ? 'passed' : 'failed'] += 1;
    yield result;
  }
}

const target = { baseUrl: options.baseUrl, apiKey: options.apiKey, fetch };
const results = runChecks(target, { checks: selected, timeLimit: options.timeLimit * 1000 });
for await (const text of reporters[options.reporter](counted(results))) console.log(text);

const summary = `${counts.passed} passed, ${counts.failed} failed`;
// The XML on standard output must stay one document.
if (options.reporter === 'junit') console.error(summary);
else console.log(summary);
process.exitCode = counts.failed > 0 ? 1 : 0;

function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new InvalidArgumentError('It must be an http or https address.');
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 86_400) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds.');
}
