import { type Scope, scopes } from '@petstore/contract';
import { type Command, Option } from 'commander';
import { RateLimitText } from '../../config.ts';
import { createKey, limitKeysOf, revokeKeysOf, rotateKey } from '../../keys/manage.ts';
import { listKeys, NO_LIMIT } from '../../keys/repository.ts';
import { OperatorError } from '../../operator-error.ts';
import { note, print } from '../output.ts';
import { formatMinute, parseDuration, parseExpiry } from '../times.ts';
import { withDatabase } from '../with-database.ts';
import { issueKey } from './issue-key.ts';
import { toJson, toTable } from './key-list.ts';

interface IssueOptions {
  name?: string;
  expires?: string;
  output?: string;
}

const outputOption = () =>
  new Option('--output <file>', 'a new file for the key, which only its owner can read');
const rateLimitOption = () =>
  new Option(
    '--rate-limit <limit>',
    'requests in seconds, such as 20/10; none; or default, which is RATE_LIMIT',
  );

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('issue, list, change, rotate and revoke API keys');
  addCreate(keys);
  addList(keys);
  addUpdate(keys);
  addRotate(keys);
  addRevoke(keys);
}

function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('issue an API key; it is shown once')
    .requiredOption('--name <name>', 'whose key it is, as the logs name it')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(scopes).default('write'))
    .option('--expires <time>', 'from when on it is refused: in 90d, or at 2027-01-31')
    .addOption(rateLimitOption())
    .addOption(outputOption())
    .action(async (options: IssueOptions & { name: string; scope: Scope; rateLimit?: string }) => {
      const { name, scope, expires, output } = options;
      const endsAt = expires === undefined ? undefined : parseExpiry(expires);
      const rateLimit = options.rateLimit === undefined ? undefined : parseRateLimit(options.rateLimit);
      await withDatabase('create', (database) =>
        issueKey(output, (key) => createKey(database, name, { scope, rateLimit, endsAt, key })),
      );
      noteExpiry(endsAt);
    });
}

function addList(keys: Command): void {
  keys
    .command('list')
    .description('list the keys, also those that are no longer valid')
    .option('--json', 'as a JSON array')
    .action(({ json = false }: { json?: boolean }) =>
      withDatabase('expect', async (database) => print((json ? toJson : toTable)(await listKeys(database)))),
    );
}

function addUpdate(keys: Command): void {
  addNamed(keys, 'update', 'change the valid keys of a name; running servers follow within five seconds')
    .addOption(rateLimitOption().makeOptionMandatory())
    .action((argument: string | undefined, options: { name?: string; rateLimit: string }) => {
      const [name, rateLimit] = [nameOf(argument, options), parseRateLimit(options.rateLimit)];
      return withDatabase('expect', (database) => limitKeysOf(database, name, rateLimit));
    });
}

function addRotate(keys: Command): void {
  addNamed(keys, 'rotate', 'issue a new key under a name and let the present one end')
    .option(
      '--grace <duration>',
      'how long the present key stays valid, such as 24h; it ends at once without this',
    )
    .option(
      '--expires <time>',
      'as with create; without this, the new key is valid for as long as the present one was',
    )
    .addOption(outputOption())
    .action(async (argument: string | undefined, options: IssueOptions & { grace?: string }) => {
      const { expires, grace, output } = options;
      const name = nameOf(argument, options);
      const graceMs = grace === undefined ? 0 : parseDuration(grace);
      const endsAt = expires === undefined ? undefined : parseExpiry(expires);
      await withDatabase('expect', async (database) => {
        const rotated = await issueKey(output, (key) => rotateKey(database, name, { graceMs, endsAt, key }));
        note(`The key before it is refused from ${formatMinute(rotated.previousEndsAt)} on.`);
        noteExpiry(rotated.endsAt);
      });
    });
}

function addRevoke(keys: Command): void {
  addNamed(
    keys,
    'revoke',
    'revoke the valid keys of a name; running servers refuse them within five seconds',
  ).action((argument: string | undefined, options: { name?: string }) =>
    withDatabase('expect', (database) => revokeKeysOf(database, nameOf(argument, options))),
  );
}

/** Adds a command on the keys of a name, which is an argument or, as with `create`, an option. */
const addNamed = (keys: Command, command: string, description: string) =>
  keys
    .command(command)
    .description(description)
    .argument('[name]', 'whose key it is')
    .option('--name <name>', 'the same as the argument');

function nameOf(name: string | undefined, options: { name?: string }): string {
  const given = name ?? options.name;
  if (given === undefined) throw new OperatorError('The name of the key is required: --name NAME');
  return given;
}

/** @returns what is stored; `undefined` for the limit of the configuration */
function parseRateLimit(text: string): string | undefined {
  if (text === 'default') return undefined;
  if (text === NO_LIMIT) return text;
  const { data, error } = RateLimitText.safeParse(text);
  if (data !== undefined) return `${data.requests}/${data.seconds}`;
  throw new OperatorError(`--rate-limit: ${error.issues[0]?.message}; or none, or default`);
}

function noteExpiry(endsAt: number | undefined): void {
  if (endsAt !== undefined) note(`The key expires at ${formatMinute(endsAt)}.`);
}
