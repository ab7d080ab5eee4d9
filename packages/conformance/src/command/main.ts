import { readFileSync, writeFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type Check, citesInterface, titleOf } from '../check.ts';
import { checks, scopeChecks } from '../checks/index.ts';
import { oneLine, shorten } from '../http/conformance-error.ts';
import type { Target } from '../http/target.ts';
import { junitOf } from './junit.ts';
import { findBaseUrlFault, findKeyFault, findTargetFault } from './probe-target.ts';
import { describeResult, summarize } from './report.ts';
import { type Result, runChecks } from './run.ts';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const { version }: { version: string } = JSON.parse(manifest);
const everyCheck = [...checks, ...scopeChecks];

const program = new Command('petstore-conformance')
  .description('Holds a deployment of the Pet Store interface to its contract.')
  .version(version)
  .addOption(new Option('--base-url <url>', 'base URL with version prefix').env('PETSTORE_BASE_URL'))
  .addOption(new Option('--api-key <key>', 'an API key that the deployment accepts').env('PETSTORE_API_KEY'))
  .addOption(new Option('--read-api-key <key>', 'a read-only key, for scopes').env('PETSTORE_READ_API_KEY'))
  .addOption(new Option('--profile <name>').choices(['full', 'interface'] as const).default('full' as const))
  .option('--read-only', 'only checks that leave the store as it is')
  .option('--only <text>', 'only checks whose title contains the text; can be repeated', collect)
  .option('--skip <text>', 'not the checks whose title contains the text; can be repeated', collect)
  .option('--known-failures <file>', 'titles of checks that may fail, one a line')
  .option('--list', 'print the titles of the checks and run none')
  .option('--wait <seconds>', 'how long to wait until the deployment responds', secondsFrom(0), 0)
  .option('--time-limit <seconds>', 'how long one check may take', secondsFrom(0.1), 60)
  .option('--junit <file>', 'also write the results to a file, as JUnit XML')
  .configureOutput({
    // Commander puts its suggestion on a second line.
    outputError: (text, write) =>
      write(text.replace(/^error:/, 'petstore-conformance:').replace('\n(Did', ' (Did')),
  })
  .exitOverride();

/** Runs the command, and sets the exit code of the process. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    program.parse(args, { from: 'user' });
    if (program.opts().list) process.stdout.write(`${selectChecks().map(titleOf).join('\n')}\n`);
    else process.exitCode = await run();
  } catch (error) {
    // Commander has printed its error, the help or the version.
    const isPrinted = error instanceof CommanderError;
    if (!isPrinted)
      process.stderr.write(`petstore-conformance: ${error instanceof Error ? error.message : error}\n`);
    // 2 is for wrong options, and for a run that could not begin or was interrupted.
    process.exitCode = isPrinted && error.exitCode === 0 ? 0 : 2;
  }
}

function selectChecks(): Check[] {
  // Every title contains the empty text.
  const { only = [''], skip = [], profile, readOnly, readApiKey } = program.opts();
  const fits = (check: Check, text: string) => titleOf(check).toLowerCase().includes(text.toLowerCase());
  const unmatched = [...only, ...skip].find((text) => !everyCheck.some((check) => fits(check, text)));
  if (unmatched !== undefined) fail(`no check has "${unmatched}" in its title`);
  const selected = everyCheck.filter((check) => {
    if (profile === 'interface' && !citesInterface(check)) return false;
    if (readOnly && !check.readOnly) return false;
    // An empty variable counts as missing: a CI pipeline may lack the secret.
    if (!readApiKey && scopeChecks.includes(check)) return false;
    return only.some((text) => fits(check, text)) && !skip.some((text) => fits(check, text));
  });
  return selected.length > 0 ? selected : fail('no check is selected');
}

async function run(): Promise<number> {
  const { baseUrl, readApiKey, junit, timeLimit, wait, knownFailures } = program.opts();
  // A run that cannot begin, or is killed, must not leave the report of an earlier run.
  const notRun = everyCheck.map((check) => ({ check, outcome: 'not run' as const, seconds: 0 }));
  if (junit) writeFileSync(junit, junitOf(notRun));
  const selected = selectChecks();
  const known = knownFailures === undefined ? new Set<string>() : readKnownFailures(knownFailures);
  if (!baseUrl) return fail('there is no base URL: set PETSTORE_BASE_URL, or --base-url');
  const fault = findBaseUrlFault(baseUrl);
  if (fault !== undefined) return fail(`the base URL ${fault}`);
  const target: Target = {
    baseUrl,
    apiKey: keyOf('apiKey', 'PETSTORE_API_KEY'),
    readApiKey: readApiKey && keyOf('readApiKey', 'PETSTORE_READ_API_KEY'),
    fetch,
  };
  const targetFault = await findTargetFault(target, { wait, timeLimit });
  if (targetFault !== undefined) fail(targetFault);

  const report = (result: Result) => process.stdout.write(describeResult(result));
  const { results, interruption } = await runChecks(target, selected, { known, timeLimit, report });
  process.stdout.write(summarize(results));
  if (junit) writeFileSync(junit, junitOf(results));
  if (interruption !== undefined) return fail(interruption);
  return results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

/** Returns an API key, or ends with a message that names its variable or option. */
function keyOf(option: 'apiKey' | 'readApiKey', variable: string): string {
  const key = program.opts()[option];
  if (key === undefined) return fail(`there is no API key: set ${variable}`);
  const fault = findKeyFault(key);
  const flag = option === 'apiKey' ? '--api-key' : '--read-api-key';
  const name = program.getOptionValueSource(option) === 'env' ? variable : flag;
  return fault === undefined ? key : fail(`${name} ${fault}`);
}

function fail(message: string): never {
  return program.error(`petstore-conformance: ${message}`);
}

/** With a variadic option, `<text...>`, each word of a title without quotes would select further checks. */
function collect(text: string, texts: string[] = []): string[] {
  return [...texts, text];
}

/** Reads the titles of checks, one a line. A line may be empty, and a `#` begins a comment. */
function readKnownFailures(file: string): ReadonlySet<string> {
  const titles = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*/, '').trim());
  const valid = new Set(['', ...everyCheck.map(titleOf)]);
  for (const [index, title] of titles.entries())
    if (!valid.has(title)) fail(`line ${index + 1} of ${file} names no check: ${shorten(oneLine(title))}`);
  return new Set(titles);
}

function secondsFrom(minimum: number) {
  return (text: string): number => {
    const seconds = Number(text);
    if (seconds >= minimum && seconds <= 86_400) return seconds;
    throw new InvalidArgumentError(`It must be a number of seconds from ${minimum} to 86400.`);
  };
}
