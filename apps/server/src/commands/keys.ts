import { type Scope, scopes } from '@petstore/contract';
import { type Command, Option } from 'commander';
import { createKey, revokeKeysOf, rotateKey } from '../keys/manage.ts';
import { isValidAt, listKeys, type StoredKey } from '../keys/repository.ts';
import { parseDuration, parseExpiry } from '../keys/times.ts';
import { OperatorError } from '../operator-error.ts';
import { note, print } from './output.ts';
import { withDatabase } from './with-database.ts';

interface CreateOptions {
  name: string;
  scope: Scope;
  expires?: string;
}

interface RotateOptions {
  name?: string;
  grace?: string;
  expires?: string;
}

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('issue, list, rotate and revoke API keys');
  addCreate(keys);
  addList(keys);
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
    .action(async ({ name, scope, expires }: CreateOptions) => {
      const endsAt = expires === undefined ? undefined : parseExpiry(expires);
      await withDatabase(async (database) => print(await createKey(database, name, { scope, endsAt })));
      noteExpiry(endsAt);
    });
}

function addList(keys: Command): void {
  keys
    .command('list')
    .description('list the keys, also those that are no longer valid')
    .option('--json', 'as a JSON array')
    .action(({ json = false }: { json?: boolean }) =>
      withDatabase(async (database) => {
        const all = await listKeys(database);
        print(json ? JSON.stringify(all.map(toJson), null, 2) : formatTable(HEADER, all.map(toCells)));
      }),
    );
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
    .action(async (argument: string | undefined, options: RotateOptions) => {
      const name = nameOf(argument, options);
      const graceMs = options.grace === undefined ? 0 : parseDuration(options.grace);
      const endsAt = options.expires === undefined ? undefined : parseExpiry(options.expires);
      await withDatabase(async (database) => {
        const rotated = await rotateKey(database, name, { graceMs, endsAt });
        print(rotated.key);
        note(`The key before it is refused from ${formatTime(rotated.previousEndsAt)} on.`);
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
    withDatabase((database) => revokeKeysOf(database, nameOf(argument, options))),
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

function noteExpiry(endsAt: number | undefined): void {
  if (endsAt !== undefined) note(`The key expires at ${formatTime(endsAt)}.`);
}

const HEADER = ['NAME', 'SCOPE', 'STATE', 'END', 'CREATED', 'LAST USED'];

function toCells(key: StoredKey): string[] {
  const { name, scope, createdAt, endsAt, lastUsedAt } = key;
  const state = isValidAt(key, Date.now()) ? 'valid' : 'ended';
  const end = endsAt === undefined ? '' : formatTime(endsAt);
  const lastUse = lastUsedAt === undefined ? 'never' : formatTime(lastUsedAt);
  return [name, scope, state, end, formatTime(createdAt), lastUse];
}

/** A key as programs read it. */
function toJson(key: StoredKey) {
  const { name, scope, createdAt, endsAt, lastUsedAt } = key;
  return {
    name,
    scope,
    isValid: isValidAt(key, Date.now()),
    createdAt: toIso(createdAt),
    endsAt: toIso(endsAt),
    lastUsedAt: toIso(lastUsedAt),
  };
}

const toIso = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());

/** To the minute, in UTC. */
const formatTime = (time: number) => `${new Date(time).toISOString().slice(0, 16)}Z`;

/** Formats rows as columns of the width of their longest cell, for people. */
function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows];
  const widths = header.map((_title, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const format = (line: readonly string[]) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return lines.map(format).join('\n');
}
