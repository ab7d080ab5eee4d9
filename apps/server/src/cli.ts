#!/usr/bin/env node
import cluster from 'node:cluster';
import { inspect } from 'node:util';
import { Command } from 'commander';
import { readConfig } from './config.ts';
import type { Database } from './database/database.ts';
import { explainOutage, openDatabase } from './database/open.ts';
import { createKey, KeyError, revokeKeyOf, rotateKey } from './keys/manage.ts';
import { listKeys } from './keys/repository.ts';
import { serve } from './main.ts';
import { StartupError } from './startup-error.ts';
import { superviseWorkers } from './workers.ts';

const program = new Command('petstore').description('The Pet Store service');

program
  .command('serve')
  .description('run the service until SIGTERM or SIGINT')
  .action(() => {
    const config = readConfig();
    return config.WORKERS > 1 && cluster.isPrimary ? superviseWorkers(config) : serve(config);
  });

program
  .command('migrate')
  .description('bring the schema of the database up to date, and end')
  .action(() => withDatabase(async () => print('The schema is up to date.')));

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
  .description('list the keys by name, the revoked ones too')
  .action(() =>
    withDatabase(async (database) => {
      for (const { name, created_at, revoked_at } of await listKeys(database)) {
        print(
          [name, date(created_at), revoked_at === null ? 'valid' : `revoked ${date(revoked_at)}`].join('\t'),
        );
      }
    }),
  );

named('rotate', 'issue a new key under a name and revoke its present one').action((name, options) =>
  withDatabase(async (database) => print(await rotateKey(database, nameOf(name, options)))),
);

named('revoke', 'revoke the key of a name; running servers refuse it within five seconds').action(
  (name, options) => withDatabase((database) => revokeKeyOf(database, nameOf(name, options))),
);

/** A command on the key of a name, which can stand alone or behind --name, as with create. */
function named(command: string, description: string) {
  return keys
    .command(command)
    .description(description)
    .argument('[name]', 'whose key it is')
    .option('--name <name>', 'the same');
}

function nameOf(name: string | undefined, options: { name?: string }): string {
  const given = name ?? options.name;
  if (given === undefined) throw new KeyError('Say whose key: --name NAME');
  return given;
}

async function withDatabase(use: (database: Database) => Promise<void>) {
  process.stdout.once('error', ({ message }) => fail(`cannot write to standard output: ${message}`));
  await using database = await openDatabase(readConfig());
  await explainOutage(database, use(database));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(reason: string): void {
  process.stderr.write(`petstore: ${reason}\n`);
  process.exitCode = 1;
}

const date = (milliseconds: number | bigint) => new Date(Number(milliseconds)).toISOString();

try {
  await program.parseAsync();
} catch (error) {
  const isForOperators = error instanceof StartupError || error instanceof KeyError;
  fail(isForOperators ? error.message : inspect(error));
}
// The channel to its supervisor would keep a worker alive.
cluster.worker?.disconnect();
