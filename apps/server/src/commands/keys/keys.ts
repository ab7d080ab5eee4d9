import { text } from 'node:stream/consumers';
import { type Scope, scopes } from '@petstore/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { hashApiKey, isWellFormedApiKey } from '../../keys/api-key.ts';
import { createKey, revokeKeysOf, rotateKey, setRateLimit } from '../../keys/manage.ts';
import { findKey, listKeys, NO_LIMIT } from '../../keys/repository.ts';
import { RateLimitText } from '../../process/config.ts';
import { OperatorError } from '../../process/operator-error.ts';
import { note, print } from '../output.ts';
import { formatMinute, parseDuration, parseExpiry } from '../times.ts';
import { withDatabase } from '../with-database.ts';
import { issueKey } from './issue-key.ts';
import { toJson, toTable } from './key-list.ts';

const rateLimitOption = () =>
  new Option(
    '--rate-limit <limit>',
    '<requests>/<seconds> for each server, such as 20/10; none; or default, which is RATE_LIMIT',
  ).argParser(parseRateLimit);

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('issue, list, find, change, rotate and revoke API keys');
  for (const add of [addCreate, addList, addFind, addUpdate, addRotate, addRevoke]) add(keys);
}

function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('issue an API key; it is shown once')
    .requiredOption('--name <name>', 'whose key it is; the logs show this name', parseName)
    .addOption(new Option('--scope <scope>', 'what it may do').choices(scopes).default('write'))
    .option('--expires <duration>', 'how long it is valid, such as 90d', parseExpiry)
    .addOption(rateLimitOption())
    .action(async (options: { name: string; scope: Scope; expires?: number; rateLimit?: string }) => {
      const { name, scope, expires: endsAt, rateLimit } = options;
      const settings = { scope, rateLimit: toStored(rateLimit), endsAt };
      await withDatabase('create', async (database) => {
        await issueKey(database, (key) => createKey(database.db, name, { ...settings, key }));
        noteShownOnce();
        noteExpiry(endsAt);
      });
    });
}

function addList(keys: Command): void {
  keys
    .command('list')
    .description('list the keys, also those that are no longer valid')
    .option('--json', 'as a JSON array')
    .action(({ json = false }: { json?: boolean }) =>
      withDatabase('expect', async (database) =>
        print((json ? toJson : toTable)(await listKeys(database.db))),
      ),
    );
}

function addFind(keys: Command): void {
  keys
    .command('find')
    .description('read a key from standard input, for example one found in a repository, and say whose it is')
    .option('--json', 'as a JSON array')
    .action(async ({ json = false }: { json?: boolean }) => {
      const key = (await text(process.stdin)).trim();
      if (!isWellFormedApiKey(key)) {
        throw new OperatorError('standard input must be one whole key: pst_ and 38 letters and digits');
      }
      return withDatabase('expect', async (database) => {
        const found = await findKey(database.db, hashApiKey(key));
        if (found === undefined) throw new OperatorError('this key is in another database, or in none');
        print((json ? toJson : toTable)([found]));
      });
    });
}

function addUpdate(keys: Command): void {
  keys
    .command('update')
    .description("change the rate limit of a name's valid keys; running servers follow within five seconds")
    .argument('<name>', 'whose key it is')
    .addOption(rateLimitOption().makeOptionMandatory())
    .action((name: string, { rateLimit }: { rateLimit: string }) =>
      withDatabase('expect', (database) => setRateLimit(database.db, name, toStored(rateLimit))),
    );
}

function addRotate(keys: Command): void {
  keys
    .command('rotate')
    .description('issue a new key under a name, and end the present one')
    .argument('<name>', 'whose key it is')
    .option(
      '--grace <duration>',
      'how long the present key stays valid, such as 24h; it ends at once without this',
      parseDuration,
    )
    .option(
      '--expires <duration>',
      'as with create; without this, the new key is valid for as long as the present one was',
      parseExpiry,
    )
    .action((name: string, options: { grace?: number; expires?: number }) => {
      const { expires: endsAt, grace: graceMs = 0 } = options;
      return withDatabase('expect', async (database) => {
        const rotate = (key: string) => rotateKey(database.db, name, { graceMs, endsAt, key });
        const rotated = await issueKey(database, rotate);
        noteShownOnce();
        note(`The previous key is refused from ${formatMinute(rotated.previousEndsAt)} on.`);
        noteExpiry(rotated.endsAt);
      });
    });
}

function addRevoke(keys: Command): void {
  keys
    .command('revoke')
    .description('revoke the valid keys of a name; running servers refuse them within five seconds')
    .argument('<name>', 'whose key it is')
    .action((name: string) =>
      withDatabase('expect', async (database) => {
        const count = await revokeKeysOf(database.db, name);
        note(`Revoked keys of ${name}: ${count}`);
      }),
    );
}

function parseName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'It must be 1 to 64 letters, digits and ._-, and begin with a letter or a digit',
  );
}

function parseRateLimit(text: string): string {
  if (text === 'default' || text === NO_LIMIT) return text;
  const { data, error } = RateLimitText.safeParse(text);
  if (data !== undefined) return `${data.requests}/${data.seconds}`;
  throw new InvalidArgumentError(`It ${error.issues[0]?.message}; or none, or default`);
}

/** Not in `parseRateLimit`, because Commander takes the value `undefined` for a missing option. */
const toStored = (rateLimit?: string) => (rateLimit === 'default' ? undefined : rateLimit);

/** The note would be wrong if standard output is redirected: then a file or a program has received the key. */
function noteShownOnce(): void {
  if (process.stdout.isTTY) note('The key is stored nowhere and is not shown again.');
}

function noteExpiry(endsAt: number | undefined): void {
  if (endsAt !== undefined) note(`The key expires at ${formatMinute(endsAt)}.`);
}
