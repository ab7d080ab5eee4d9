import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { type Check, isOfInterface, titleOf } from './check.ts';
import { checks, scopeChecks } from './checks/index.ts';
import { findBaseUrlFault, findKeyFault, findTargetFault } from './probe-target.ts';
import { type Events, Outcome, reporters } from './reporter.ts';
import { current, runChecks } from './run.ts';

const FAILURE = 1;
/** The exit code for wrong options, and for a run that could not begin or was interrupted. */
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
const selected = [...checks, ...scopeChecks].filter(isSelected);
if (selected.length === 0) program.error('error: no check is selected');

if (options.list) for (const check of selected) console.log(titleOf(check));
else process.exit(await run());

function isSelected(check: Check): boolean {
  const title = titleOf(check).toLowerCase();
  if (options.profile === 'interface' && !isOfInterface(check)) return false;
  if (options.readOnly && !check.readOnly) return false;
  // An empty variable counts as missing: a CI pipeline may lack the secret.
  if (!options.readApiKey && scopeChecks.includes(check)) return false;
  return (
    title.includes(options.only.toLowerCase()) &&
    !(options.skip && title.includes(options.skip.toLowerCase()))
  );
}

async function run(): Promise<number> {
  const { baseUrl, readApiKey, reporter } = options;
  if (baseUrl === undefined) return program.error("error: required option '--base-url <url>' not specified");
  const target = {
    baseUrl,
    apiKey: keyOf('apiKey', 'PETSTORE_API_KEY'),
    readApiKey: readApiKey && keyOf('readApiKey', 'PETSTORE_READ_API_KEY'),
    fetch,
  };
  const fault = await findTargetFault(target);
  if (fault !== undefined) return program.error(`error: ${fault}`);

  const outcome = new Outcome();
  const timeLimit = options.timeLimit * 1_000;
  const totalTimeLimit = options.totalTimeLimit * 1_000;
  async function* events(): Events {
    for await (const event of runChecks({ target, checks: selected, timeLimit, totalTimeLimit })) {
      outcome.note(event);
      yield event;
    }
  }
  for await (const text of reporters[reporter](events(), outcome)) process.stdout.write(text);

  // The XML on standard output must stay one document.
  if (reporter === 'junit') console.error(`${outcome}`);
  if (current.interruption !== undefined) return program.error(`error: ${current.interruption}`);
  return outcome.failures.length > 0 ? FAILURE : 0;
}

/** Returns an API key, or ends with a message that names the variable or option. */
function keyOf(option: 'apiKey' | 'readApiKey', variable: string): string {
  const key = options[option];
  if (key === undefined) return program.error(`error: there is no API key: set ${variable}`);
  const fault = findKeyFault(key);
  const name = program.getOptionValueSource(option) === 'env' ? variable : 'the API key of the command line';
  return fault === undefined ? key : program.error(`error: ${name} ${fault}`);
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
