#!/usr/bin/env node
/** Runs the built service on SQLite at a fixed rate through crashes and a restore: `pnpm soak`. */
import { randomUUID } from 'node:crypto';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPetStore } from '@petstore/client';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { Command } from 'commander';
import { Ledger, newPet } from './ledger.ts';
import { createFolder } from './measure.ts';
import { positiveNumber } from './positive-number.ts';
import { memoryOf } from './processes.ts';
import { petstore, readNumber, STATUSES, seedSqlite } from './seed.ts';

const SEEDED = 10_000;
/** Shares of all calls. All other calls read a single pet. */
const CREATIONS = 0.3;
const LISTS = 0.35;
/** The share of acknowledged creations that are sent again with the same Idempotency-Key. */
const REPEATED = 0.05;
/** No event keeps the service away for this long, so a call that fails has another reason. */
const PATIENCE_MS = 120_000;
const PROGRESS_LINES = 20;

const { minutes, rate } = new Command('soak')
  .description('Runs the service through kill -9, backup and restore, and looks for every acknowledged pet.')
  .option('--minutes <number>', 'the length of the run', positiveNumber, 10)
  .option('--rate <number>', 'calls a second, of which 30 % are creations', positiveNumber, 200)
  .parse()
  .opts<{ minutes: number; rate: number }>();

const folder = createFolder();
const file = join(folder, 'petstore.db');
const url = `sqlite:${file}`;
const backup = join(folder, 'backup.db');
await seedSqlite(file, SEEDED);
const port = await findFreePort();
const log = openSync(`${file}.log`, 'a');
const start = () => startServer({ DATABASE_URL: url }, { log, port });
/** `undefined` while the service is stopped. */
let server: ServerProcess | undefined = await start();
process.once('exit', () => server?.child.kill('SIGKILL'));

const ledger = new Ledger();
const run = randomUUID();
const counts = { calls: 0, failed: 0, creations: 0 };
const store = createPetStore({
  baseUrl: `http://127.0.0.1:${port}/v1`,
  apiKey: FIXED_KEY,
  timeoutMs: PATIENCE_MS,
  onDeprecation: false,
});
const startOfRun = performance.now();
/** Waits until this part of the run, from 0 to 1, is over. */
const waitFor = (part: number): Promise<void> =>
  sleep(Math.max(0, startOfRun + part * minutes * 60_000 - performance.now()));

async function create(): Promise<void> {
  counts.creations += 1;
  const serial = counts.creations;
  const send = () => store.createPet(newPet(serial), { idempotencyKey: `${run}-${serial}` });
  ledger.acknowledge(serial, await send());
  // After a restore, a repetition creates the pet again. By then the ledger has removed the first one.
  if (Math.random() < REPEATED) ledger.acknowledge(serial, await send());
}

async function call(): Promise<void> {
  const choice = Math.random();
  const status = STATUSES[counts.calls % STATUSES.length];
  try {
    if (choice < CREATIONS) await create();
    else if (choice < CREATIONS + LISTS) await store.listPets({ status, limit: 20 });
    else await store.getPet(1 + Math.floor(Math.random() * SEEDED));
  } catch (error) {
    counts.failed += 1;
    if (counts.failed === 1) console.error(error);
  }
  counts.calls += 1;
}

/** Begins calls at the fixed rate, even if earlier calls have not ended. */
async function sendCalls(): Promise<void> {
  const pending = new Set<Promise<void>>();
  const amount = minutes * 60 * rate;
  for (let index = 0; index < amount; index += 1) {
    await waitFor(index / amount);
    const sent = call();
    pending.add(sent);
    void sent.finally(() => pending.delete(sent));
  }
  await Promise.all(pending);
}

async function replaceServer(end: (server: ServerProcess) => Promise<unknown>): Promise<void> {
  const ending = server;
  server = undefined;
  if (ending !== undefined) await end(ending);
  server = await start();
}

const kill = () => replaceServer((killed) => killed.stop('SIGKILL'));

const restore = () =>
  replaceServer(async (stopped) => {
    await stopped.stop();
    await petstore(url, 'restore', '--replace', backup);
    const taken = ledger.takeBack(readNumber(backup, 'select max(id) from pets'));
    console.log(`${taken} creations from after the backup are taken back`);
  });

/** After the last event the service runs on, so that the printed lines show whether memory grows. */
async function letEventsHappen(): Promise<void> {
  const events = [
    { name: 'kill -9', at: 0.1, happen: kill },
    { name: 'backup', at: 0.2, happen: () => petstore(url, 'backup', backup) },
    { name: 'restore', at: 0.3, happen: restore },
    { name: 'kill -9', at: 0.4, happen: kill },
  ];
  for (const { name, at, happen } of events) {
    await waitFor(at);
    console.log(name);
    await happen();
  }
}

async function printLines(): Promise<void> {
  for (let line = 1; line <= PROGRESS_LINES; line += 1) {
    await waitFor(line / PROGRESS_LINES);
    const seconds = Math.round((performance.now() - startOfRun) / 1_000);
    const pid = server?.child.pid;
    const memory = pid === undefined ? 'unknown' : `${memoryOf(pid, 'VmRSS').toFixed(0)} MB`;
    console.log(`${seconds} s: ${counts.calls} calls, memory ${memory}`);
  }
}

await Promise.all([sendCalls(), letEventsHappen(), printLines()]);
await ledger.check(store.pets({ pageSize: 100 }));
await server?.stop();
const { calls, failed } = counts;
console.log(`${calls} calls, ${failed} failed`);
console.log(
  `${ledger.acknowledged} creations acknowledged, ${ledger.problems.length} lost, doubled or changed`,
);
for (const problem of ledger.problems.slice(0, 20)) console.log(`  ${problem}`);
process.exitCode = failed > 0 || ledger.problems.length > 0 ? 1 : 0;
