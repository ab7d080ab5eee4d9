import { createPetStore, type PetStore } from '@petstore/client';
import { createNodeFetch } from '@petstore/client/node';
import { tryGetContext } from 'hono/context-storage';
import type { Logger } from 'pino';
import { type Config, readApiKey } from './config.ts';
import type { AppEnv } from './log.ts';

/**
 * Creates the client that all pages share. Of the headers of a page's request, it passes on only the request id.
 * @throws TypeError for an unusable base URL or key
 */
export function connectPetStore(config: Config, logger: Logger): PetStore {
  let apiKey = readApiKey(config);
  function readKey(): string {
    try {
      apiKey = readApiKey(config);
    } catch (err) {
      // The file may be missing or empty for a moment.
      logger.warn({ err }, 'PETSTORE_API_KEY_FILE cannot be read: the key is unchanged');
    }
    return apiKey;
  }
  return createPetStore({
    baseUrl: config.PETSTORE_BASE_URL,
    apiKey: config.PETSTORE_API_KEY_FILE === undefined ? apiKey : readKey,
    timeoutMs: config.PETSTORE_TIMEOUT_MS,
    // One attempt may take all the time: shorter attempts would always fail on a slow pet store.
    attemptTimeoutMs: config.PETSTORE_TIMEOUT_MS,
    retries: 2,
    // Node's `fetch` opens any number of connections, but proxies limit them for each IP address.
    fetch: createNodeFetch(),
    onRequest({ headers }) {
      const context = tryGetContext<AppEnv>();
      if (context) headers.set('X-Request-Id', context.var.requestId);
    },
    // Without `onRetry`, the client would write warnings of its own beside the log.
    onRetry: (retry) =>
      logger.debug({ requestId: tryGetContext<AppEnv>()?.var.requestId, ...retry }, 'Retrying'),
    // An animal's page needs getPet, which is deprecated. The client reports this once, with the date of the removal.
    onDeprecation: (message) => logger.warn(message),
  });
}
