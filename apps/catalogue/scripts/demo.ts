/**
 * Runs the service and the catalogue until Ctrl-C, with animals to look at: `pnpm demo`. With `--watch` (`pnpm dev`),
 * Turborepo builds each change, and an app restarts after each successful build.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createPetStore, type NewPet } from '@petstore/client';
import { onChange, restartable, signal, stop } from './programs.ts';

const NAMES = 'Ñandú Rex Luna Milo Bella Žofka Simba Nala Łatka Coco Bruno Kiwi Pépin'.split(' ');
const STATUSES: readonly NewPet['status'][] = ['available', 'available', 'pending', 'sold', undefined];

const SOURCES = [
  'apps/server/src',
  'apps/catalogue/src',
  'apps/catalogue/browser',
  'packages/contract/src',
  'packages/client/src',
];
const GENERATED = 'packages/client/src/contract.ts';
const BUILDS = ['@petstore/server#build:dev', '@petstore/catalogue#build'];

const { values } = parseArgs({
  options: {
    watch: { type: 'boolean', default: false },
    database: { type: 'string', default: 'data/demo.db' },
  },
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
  API_KEYS: apiKey,
  PETSTORE_BASE_URL: `${service}/v1`,
  PETSTORE_API_KEY: apiKey,
  // Replaces the database and the keys that the shell may export.
  DATABASE_URL: `sqlite:${values.database}`,
  DATABASE_URL_FILE: undefined,
  API_KEYS_FILE: undefined,
  PETSTORE_API_KEY_FILE: undefined,
  TURBO_TELEMETRY_DISABLED: '1',
};

let isReady = false;

async function runApp(folder: string, args: readonly string[], changes?: NodeJS.ProcessEnv): Promise<void> {
  const program = `${folder}/dist/cli.js`;
  const start = restartable({
    file: process.execPath,
    args: [program, ...args],
    env: { ...environment, ...changes },
    onEnd(code) {
      if (values.watch && isReady && !signal.aborted) return console.error(`${folder} waits for a change.`);
      // An app that ends by itself, for example because its port is taken, ends the other too.
      process.exitCode ||= code ?? 0;
      stop();
    },
  });
  start();
  // A build first empties the folder, so the program may be missing when files change.
  const isBuilt = (file: string) => file.endsWith('.js') && existsSync(program);
  if (values.watch) await onChange([`${folder}/dist`], isBuilt, start);
}

async function waitForService(): Promise<void> {
  const checkReadiness = () => fetch(`${service}/readyz`, { signal }).catch(() => undefined);
  while (!(await checkReadiness())?.ok) await sleep(100, undefined, { signal });
}

/** Adds 150 animals to a pet store that has none. Two runs at the same time still add each animal once. */
async function addAnimals(): Promise<void> {
  const store = createPetStore({ baseUrl: `${service}/v1`, apiKey, onDeprecation: false });
  const [first] = await store.listPets({ limit: 1 }, { signal });
  for (let index = 0; first === undefined && index < 150; index += 1) {
    const name = NAMES[index % NAMES.length] ?? '';
    const pet = { name, categoryId: 1 + ((index * 7) % 12), status: STATUSES[index % STATUSES.length] };
    await store.createPet(pet, { idempotencyKey: `demo-${index}`, signal });
  }
}

async function buildOnChange(): Promise<void> {
  const args = ['run', ...BUILDS, '--continue=dependencies-successful', '--log-prefix=none'];
  const build = restartable({ file: 'turbo', args, env: environment });
  await onChange(SOURCES, (file) => file !== GENERATED, build);
}

try {
  await Promise.all([
    runApp('apps/server', ['serve']),
    runApp('apps/catalogue', [], { PORT: CATALOGUE_PORT }),
    waitForService().then(addAnimals),
    values.watch && buildOnChange(),
  ]);
  isReady = true;
  console.log(`\n  Catalogue  http://127.0.0.1:${CATALOGUE_PORT}`);
  console.log(`  Service    ${service}/docs, API key ${apiKey}\n`);
} catch (error) {
  if (!signal.aborted) console.error(error);
  stop();
}
