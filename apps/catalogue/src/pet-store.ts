import { readFileSync } from 'node:fs';
import { type ApiKey, createPetStore, type PetStore } from '@petstore/client';
import { tryGetContext } from 'hono/context-storage';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { AppEnv } from './http/env.ts';

/**
 * Creates the client that all requests share. Each of its requests carries the id, and the trace, of the page
 * that it is made for, and nothing else of what the browser sent.
 */
export function connectPetStore(config: Config, logger: Logger): PetStore {
  return createPetStore({
    baseUrl: config.PETSTORE_BASE_URL,
    apiKey: readApiKey(config),
    // A user waits for the page: better a page that says so, and tries again, than a white one.
    timeoutMs: config.PETSTORE_TIMEOUT_MS,
    attemptTimeoutMs: config.PETSTORE_TIMEOUT_MS / 2,
    // The page tries again by itself.
    retries: 2,
    onRequest({ headers }) {
      const { requestId, traceparent } = tryGetContext<AppEnv>()?.var ?? {};
      if (requestId) headers.set('X-Request-Id', requestId);
      if (traceparent) headers.set('traceparent', traceparent);
    },
    onResponse({ operation, attempt, status, requestId }) {
      // A number that no animal has is nothing that an operator can do something about.
      if (status < 400 || status === 404) return;
      logger.warn({ operation, attempt, status, requestId }, 'The pet store responded with an error');
    },
    onError({ operation, attempt, error: { code, message } }) {
      if (code === 'aborted') return;
      const requestId = tryGetContext<AppEnv>()?.var.requestId;
      logger.warn({ operation, attempt, code, requestId }, message);
    },
    // The page of an animal says so too, in development.
    onDeprecation: ({ message }) => logger.warn(message),
  });
}

/** The key, or what reads it from its file for each request. The first time is now, so that a mistake is seen. */
function readApiKey({ PETSTORE_API_KEY, PETSTORE_API_KEY_FILE: file }: Config): ApiKey {
  if (file === undefined) return PETSTORE_API_KEY ?? '';
  const read = () => readFileSync(file, 'utf8').trim();
  read();
  return read;
}
