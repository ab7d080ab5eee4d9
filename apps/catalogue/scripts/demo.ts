/**
 * Runs the service and the catalogue until Ctrl-C, with animals to look at: `pnpm demo`. With `--watch`, which
 * is `pnpm dev`, each is built and started again when its code changes.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createPetStore, type NewPet, type PetStore } from '@petstore/client';

const NAMES = 'Ñandú Rex Luna Milo Bella Žofka Simba Nala Łatka Coco Bruno Kiwi Pépin'.split(' ');

const STATUSES: readonly NewPet['status'][] = ['available', 'available', 'pending', 'sold', undefined];

const isWatching = process.argv.includes('--watch');
const { PORT = '3000', CATALOGUE_PORT = '4000' } = process.env;
const service = `http://127.0.0.1:${PORT}`;
// For this run alone: nothing is left behind that a later program could use.
const apiKey = `demo-${randomUUID()}`;

const environment = {
  CATEGORIES_FILE: fileURLToPath(new URL('./demo-categories.json', import.meta.url)),
  DATABASE_URL: 'sqlite:data/demo.db',
  LOG_LEVEL: isWatching ? 'info' : 'warn',
  ...process.env,
  PORT,
  CATALOGUE_PORT,
  API_KEYS: apiKey,
  PETSTORE_BASE_URL: `${service}/v1`,
  PETSTORE_API_KEY: apiKey,
  NODE_ENV: 'development',
  TURBO_TELEMETRY_DISABLED: '1',
};

const run = (command: string, changes = {}) => {
  const [file = '', ...args] = command.split(' ');
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  return spawn(file, args, { cwd, stdio: 'inherit', env: { ...environment, ...changes } });
};
const children = isWatching
  ? [
      run(
        'turbo watch dev --filter=@petstore/server --filter=@petstore/catalogue --log-prefix=none --ui=stream',
      ),
    ]
  : [
      run('node apps/server/dist/cli.js serve'),
      run('node apps/catalogue/dist/cli.js', { PORT: CATALOGUE_PORT }),
    ];

const stopping = new AbortController();
stopping.signal.addEventListener('abort', () => children.map((child) => child.kill()));
// Ctrl-C reaches the children by itself.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => stopping.abort());
for (const child of children) {
  child.on('exit', (code) => {
    process.exitCode ||= code ?? 0;
    // Where one ends by itself, its port being taken for example, the other ends too.
    stopping.abort();
  });
}

// The service takes a moment to start.
const patience = { retries: 100, retryDelayMs: 100 };
try {
  await seed(createPetStore({ baseUrl: `${service}/v1`, apiKey, ...patience }), stopping.signal);
  console.log(`\n  Catalogue  http://127.0.0.1:${CATALOGUE_PORT}`);
  console.log(`  Service    ${service}/docs, API key ${apiKey}\n`);
} catch (error) {
  if (!stopping.signal.aborted) console.error(error);
}

/** Adds 150 animals to look at to a pet store that has none. Run twice at a time, it adds them once. */
async function seed(store: PetStore, signal: AbortSignal): Promise<void> {
  const [first] = await store.listPets({ limit: 1 }, { signal });
  for (let index = 0; first === undefined && index < 150; index += 1) {
    const name = NAMES[index % NAMES.length] ?? '';
    const pet = { name, categoryId: 1 + ((index * 7) % 12), status: STATUSES[index % STATUSES.length] };
    await store.createPet(pet, { idempotencyKey: `demo-${index}`, signal });
  }
}
