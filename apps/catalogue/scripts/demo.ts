/**
 * Runs the service and the catalogue until Ctrl-C, with animals to look at: `pnpm demo`. With `--watch` (`pnpm dev`),
 * Turborepo builds each change, and Node.js restarts the apps whose programs have changed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createPetStore, type NewPet } from '@petstore/client';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const NAMES = 'Ñandú Rex Luna Milo Bella Žofka Simba Nala Łatka Coco Bruno Kiwi Pépin'.split(' ');
const ANIMAL_COUNT = 150;
/** The categories of demo-categories.json are 1 to 12. */
const CATEGORY_COUNT = 12;
const STATUSES: readonly NewPet['status'][] = ['available', 'available', 'pending', 'sold', undefined];
const WATCH = 'watch dev --filter=@petstore/server --filter=@petstore/catalogue --env-mode=loose'.split(' ');
/** Longer than a start takes, even if Turborepo builds first. */
const START_TIMEOUT_MS = 300_000;

const { values } = parseArgs({
  options: { watch: { type: 'boolean' }, database: { type: 'string', default: 'data/demo.db' } },
});
const { PORT = '3000', CATALOGUE_PORT = '4000' } = process.env;
const service = `http://127.0.0.1:${PORT}`;
// A new key for each run, so that no later program can use it.
const apiKey = `demo-${randomUUID()}`;

const environment = {
  CATEGORIES_FILE: fileURLToPath(new URL('./demo-categories.json', import.meta.url)),
  LOG_LEVEL: values.watch ? 'info' : 'warn',
  ...process.env,
  NODE_ENV: 'development',
  PORT,
  CATALOGUE_PORT,
  API_KEYS: apiKey,
  PETSTORE_BASE_URL: `${service}/v1`,
  PETSTORE_API_KEY: apiKey,
  // Replaces variables of the shell. The demo calls 127.0.0.1: with another HOST it would fail after five minutes.
  HOST: '127.0.0.1',
  DATABASE_URL: `sqlite:${resolve(ROOT, values.database)}`,
  DATABASE_URL_FILE: undefined,
  API_KEYS_FILE: undefined,
  PETSTORE_API_KEY_FILE: undefined,
  TURBO_TELEMETRY_DISABLED: '1',
};

const programs: ChildProcess[] = [];
const stopping = new AbortController();
const { signal } = stopping;

function stop(): void {
  stopping.abort();
  for (const program of programs) program.kill();
}

process.on('SIGTERM', stop).on('SIGHUP', stop);
// The terminal sends Ctrl-C to the programs too. The server takes a second signal as a request to end at once.
process.on('SIGINT', () => stopping.abort());

/** Starts a program. If one ends by itself, all end with its exit code. */
function start(file: string, args: readonly string[], changes?: NodeJS.ProcessEnv): void {
  const env = { ...environment, ...changes };
  const program = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env });
  programs.push(program);
  program.on('exit', (code) => {
    // The code is null if a signal has ended the program.
    process.exitCode ||= code ?? (signal.aborted ? 0 : 1);
    if (!signal.aborted) stop();
  });
}

/** @throws Error if the port is taken: the demo would call another program */
async function requireFreePort(port: string, variable: string): Promise<void> {
  const probe = createServer().listen(Number(port), '127.0.0.1');
  await once(probe, 'listening').catch(({ code, message }) => {
    const remedy = `end the program that listens there, or set ${variable} to another port`;
    throw new Error(code === 'EADDRINUSE' ? `${port} is in use: ${remedy}` : message);
  });
  probe.close();
}

/** Adds animals to a pet store that has none. */
async function addAnimals(): Promise<void> {
  // The first call waits until the service has started. The empty hook replaces the client's notice of retries.
  const options = { baseUrl: `${service}/v1`, apiKey, timeoutMs: START_TIMEOUT_MS };
  const store = createPetStore({ ...options, onDeprecation: false, onRetry() {} });
  const [first] = await store.listPets({ limit: 1 }, { signal });
  if (first !== undefined) return;
  for (let index = 0; index < ANIMAL_COUNT; index += 1) {
    const name = NAMES[index % NAMES.length] ?? '';
    const status = STATUSES[index % STATUSES.length];
    const pet = { name, categoryId: 1 + (index % CATEGORY_COUNT), status };
    await store.createPet(pet, { signal });
  }
}

try {
  await requireFreePort(PORT, 'PORT');
  await requireFreePort(CATALOGUE_PORT, 'CATALOGUE_PORT');
  signal.throwIfAborted();
  if (values.watch) start('turbo', WATCH);
  else {
    start(process.execPath, ['apps/server/dist/cli.js', 'serve']);
    // The catalogue listens on PORT. With `--watch`, its script `dev` sets it.
    start(process.execPath, ['apps/catalogue/dist/cli.js'], { PORT: CATALOGUE_PORT });
  }
  await addAnimals();
  console.log(`\n  Catalogue  http://127.0.0.1:${CATALOGUE_PORT}`);
  console.log(`  Service    ${service}/docs, API key ${apiKey}\n`);
} catch (error) {
  if (!signal.aborted) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
    stop();
  }
}
