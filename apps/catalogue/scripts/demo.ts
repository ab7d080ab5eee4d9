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

const SERVICE = 'http://127.0.0.1:3000';
const CATALOGUE = 'http://127.0.0.1:4000';

const WATCH =
  'turbo watch dev --filter=@petstore/server --filter=@petstore/catalogue --log-prefix=none --ui=stream';
const RUN = ['node apps/server/dist/cli.js serve', 'node apps/catalogue/dist/cli.js'];

const isWatching = process.argv.includes('--watch');
// For this run alone: nothing is left behind that a later program could use.
const apiKey = `demo-${randomUUID()}`;
const { PORT: _port, ...environment } = process.env;

const stopping = new AbortController();

const children = (isWatching ? [WATCH] : RUN).map((command) => {
  const [file = '', ...args] = command.split(' ');
  return spawn(file, args, {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: 'inherit',
    env: {
      ...environment,
      NODE_ENV: 'development',
      DATABASE_URL: 'sqlite:data/demo.db',
      API_KEYS: apiKey,
      PETSTORE_BASE_URL: `${SERVICE}/v1`,
      PETSTORE_API_KEY: apiKey,
      TURBO_TELEMETRY_DISABLED: '1',
      ...(!isWatching && { LOG_LEVEL: 'warn' }),
    },
  });
});

// Ctrl-C reaches all of them. Where one ends by itself, its port being taken for example, the others end too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal));
const ends = children.map(async (child) => {
  const [code] = await once(child, 'exit');
  stop('SIGTERM');
  return Number(code);
});

function stop(signal: NodeJS.Signals): void {
  stopping.abort();
  for (const child of children) child.kill(signal);
}

// The service and what is built for it take a moment to start.
const store = createPetStore({
  baseUrl: `${SERVICE}/v1`,
  apiKey,
  retries: 100,
  retryDelayMs: 300,
  maxRetryDelayMs: 300,
});
seed(store, stopping.signal).then(
  () => console.log(`\n  Catalogue  ${CATALOGUE}\n  Service    ${SERVICE}/docs, API key ${apiKey}\n`),
  (error: unknown) => {
    if (!stopping.signal.aborted) console.error(error);
  },
);

process.exitCode = Math.max(...(await Promise.all(ends)));
