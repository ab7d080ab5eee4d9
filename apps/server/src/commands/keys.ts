import type { Command } from 'commander';
import { createKey, KeyError, revokeKeyOf, rotateKey } from '../keys/manage.ts';
import { listKeys } from '../keys/repository.ts';
import { print } from './output.ts';
import { withDatabase } from './with-database.ts';

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('issue, list, rotate and revoke API keys');

  keys
    .command('create')
    .description('issue an API key; it is shown once')
    .requiredOption('--name <name>', 'whose key it is, as the logs name it')
    .action(({ name }: { name: string }) =>
      withDatabase(async (database) => print(await createKey(database, name))),
    );

  keys
    .command('list')
    .description('list the keys by name, revoked ones included')
    .action(() =>
      withDatabase(async (database) => {
        for (const { name, created_at, revoked_at } of await listKeys(database)) {
          const state = revoked_at === null ? 'valid' : `revoked ${formatDate(revoked_at)}`;
          print([name, formatDate(created_at), state].join('\t'));
        }
      }),
    );

  named('rotate', 'issue a new key under a name and revoke its present one').action((name, options) =>
    withDatabase(async (database) => print(await rotateKey(database, nameOf(name, options)))),
  );

  named('revoke', 'revoke the key of a name; running servers refuse it within five seconds').action(
    (name, options) => withDatabase((database) => revokeKeyOf(database, nameOf(name, options))),
  );

  /** A command on the key of a name, which is an argument or, as with `create`, an option. */
  function named(command: string, description: string) {
    return keys
      .command(command)
      .description(description)
      .argument('[name]', 'whose key it is')
      .option('--name <name>', 'the same as the argument');
  }
}

function nameOf(name: string | undefined, options: { name?: string }): string {
  const given = name ?? options.name;
  if (given === undefined) throw new KeyError('The name of the key is required: --name NAME');
  return given;
}

const formatDate = (milliseconds: number | bigint) => new Date(Number(milliseconds)).toISOString();
