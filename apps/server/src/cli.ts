#!/usr/bin/env node
import cluster from 'node:cluster';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import { addKeys } from './commands/keys.ts';
import { addMigrate } from './commands/migrate.ts';
import { fail } from './commands/output.ts';
import { addServe } from './commands/serve.ts';
import { KeyError } from './keys/manage.ts';
import { StartupError } from './process/startup-error.ts';

// By default V8 lets the heap double before it collects garbage: 20 % bounds the memory that a flood of
// requests takes (tests/flood.test.ts: 311 instead of 404 MiB).
setFlagsFromString('--heap-growing-percent=20');

const program = new Command('petstore').description('The Pet Store service');
addServe(program);
addMigrate(program);
addKeys(program);

try {
  await program.parseAsync();
} catch (error) {
  const isForOperators = error instanceof StartupError || error instanceof KeyError;
  fail(isForOperators ? error.message : inspect(error));
}
// The channel to the primary would keep a worker alive.
cluster.worker?.disconnect();
