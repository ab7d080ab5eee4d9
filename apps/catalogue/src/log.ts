import { createMiddleware } from 'hono/factory';
import type { RequestIdVariables } from 'hono/request-id';
import { routePath } from 'hono/route';
import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

/** What the app finds out about a request, for the pages, for the client and for the log. */
export interface AppEnv {
  Variables: RequestIdVariables & {
    /** The user, as the proxy names them. */
    user?: string;
    /** How often the client has sent its last request for the page. */
    attempts?: number;
    /** Why the pet store did not give what the page needs. */
    error?: string;
  };
}

/** What the pet store issues as API keys, also one that was cut off. */
const API_KEYS = /pst_\w+/g;

/** Creates the log: JSON lines on standard output, without the API keys that a caller may write anywhere. */
export function createLogger({ LOG_LEVEL, PETSTORE_API_KEY }: Config): Logger {
  const ownKey = PETSTORE_API_KEY ?? API_KEYS;
  const redact = (line: string) => line.replaceAll(ownKey, '[API key]').replaceAll(API_KEYS, '[API key]');
  return pino({ level: LOG_LEVEL, hooks: { streamWrite: redact } });
}

/**
 * Logs each request when its response is ready: its route in place of its path, which could have anything in it,
 * an API key for example. By the request id the log of the pet store tells which animal it was about.
 */
export const accessLog = (logger: Logger) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const start = performance.now();
    await next();
    const { status } = c.res;
    const durationMs = Math.round(performance.now() - start);
    const request = { ...c.var, method: c.req.method, route: routePath(c), status, durationMs };
    logger[status < 500 ? 'info' : 'error'](request, 'Request');
  });
