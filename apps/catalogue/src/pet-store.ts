import { readFileSync } from 'node:fs';
import { createPetStore, type PetStore } from '@petstore/client';
import { tryGetContext } from 'hono/context-storage';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { AppEnv } from './log.ts';

/**
 * Creates the client that all requests share. Each of its requests carries the id of the page that it is made for,
 * and nothing else of what the browser sent.
 *
 * @throws TypeError when the base address or the key is none that requests can be sent with
 */
export function connectPetStore(config: Config, logger: Logger): PetStore {
  const { PETSTORE_API_KEY = '', PETSTORE_API_KEY_FILE: file } = config;
  // For each request, so that a rotated key needs no restart.
  const apiKey = file === undefined ? PETSTORE_API_KEY : () => readFileSync(file, 'utf8').trim();
  return createPetStore({
    baseUrl: config.PETSTORE_BASE_URL,
    apiKey,
    // A user waits for the page: better a page that says so, and tries again, than a white one.
    timeoutMs: config.PETSTORE_TIMEOUT_MS,
    attemptTimeoutMs: config.PETSTORE_TIMEOUT_MS / 2,
    retries: 2,
    onRequest({ headers, attempt }) {
      const context = tryGetContext<AppEnv>();
      if (context) headers.set('X-Request-Id', context.var.requestId);
      context?.set('attempts', attempt);
    },
    // getPet, which the pages of animals need.
    onDeprecation: (notice) => logger.warn(notice),
  });
}
