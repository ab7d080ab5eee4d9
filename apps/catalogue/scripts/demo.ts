/**
 * Runs the service and the catalogue until Ctrl-C, with animals to look at: `pnpm demo`. With `--watch`, which
 * is `pnpm dev`, each is built and started again when its code changes.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createPetStore } from '@petstore/client';
import { seed } from './seed.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WATCH =
  'turbo watch dev --filter=@petstore/server --filter=@petstore/catalogue --log-prefix=none --ui=stream';

const isWatching = process.argv.includes('--watch');
const { PORT = '3000', CATALOGUE_PORT = '4000', DATABASE_URL = 'sqlite:data/demo.db' } = process.env;
const service = `http://127.0.0.1:${PORT}`;
// For this run alone: nothing is left behind that a later program could use.
const apiKey = `demo-${randomUUID()}`;

const environment = {
  CATEGORIES_FILE: fileURLToPath(new URL('./demo-categories.json', import.meta.url)),
  ...process.env,
  PORT,
  CATALOGUE_PORT,
  DATABASE_URL,
  API_KEYS: apiKey,
  PETSTORE_BASE_URL: `${service}/v1`,
  PETSTORE_API_KEY: apiKey,
  NODE_ENV: 'development',
  TURBO_TELEMETRY_DISABLED: '1',
  ...(!isWatching && { LOG_LEVEL: 'warn' }),
};

const run = (command: string, changes = {}) => {
  const [file = '', ...args] = command.split(' ');
  return spawn(file, args, { cwd: ROOT, stdio: 'inherit', env: { ...environment, ...changes } });
};
const children = isWatching
  ? [run(WATCH)]
  : [
      run('node apps/server/dist/cli.js serve'),
      run('node apps/catalogue/dist/cli.js', { PORT: CATALOGUE_PORT }),
    ];

const stopping = new AbortController();
// Ctrl-C reaches the children too, and a second signal would end them at once.
process.on('SIGINT', () => stopping.abort());
process.on('SIGTERM', stop);

function stop(): void {
  if (stopping.signal.aborted) return;
  stopping.abort();
  for (const child of children) child.kill();
}

const ends = children.map(async (child) => {
  const [code] = await once(child, 'exit');
  // Where one ends by itself, its port being taken for example, the other ends too.
  stop();
  return Number(code);
});

// The service takes a moment to start.
const patience = { retries: 100, retryDelayMs: 300, maxRetryDelayMs: 300 };
seed(createPetStore({ baseUrl: `${service}/v1`, apiKey, ...patience }), stopping.signal).then(
  () => {
    console.log(
      `\n  Catalogue  http://127.0.0.1:${CATALOGUE_PORT}\n  Service    ${service}/docs, API key ${apiKey}\n`,
    );
  },
  (error: unknown) => {
    if (!stopping.signal.aborted) console.error(error);
  },
);

process.exitCode = Math.max(...(await Promise.all(ends)));
