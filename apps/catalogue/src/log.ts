import { isatty } from 'node:tty';
import { createMiddleware } from 'hono/factory';
import type { RequestIdVariables } from 'hono/request-id';
import { routePath } from 'hono/route';
import { type Logger, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import { type Config, readApiKey } from './config.ts';

/** Properties of a request that pages, the client and the log use. */
export interface AppEnv {
  Variables: RequestIdVariables & {
    /** The name that the proxy gives for the user. */
    user?: string;
    /** Why the request failed. */
    error?: string;
  };
}

/** API keys of the pet store, even truncated ones. */
const API_KEYS = /pst_\w+/g;

/** Characters that a terminal obeys and JSON does not escape. */
const CONTROL = /[\x7f-\x9f]/g;

const STDOUT = 1;

/** Bytes that may wait for a slow reader or a full disk. Further lines are dropped. */
const MAX_BUFFERED = 4 * 1024 * 1024;

/** Creates the log on standard output, in which API keys are redacted wherever a caller wrote them. */
export async function createLogger(config: Config): Promise<Logger> {
  const { LOG_LEVEL, LOG_FORMAT } = config;
  const redact = (line: string) =>
    line.replaceAll(readOwnKey(config), '[API key]').replaceAll(API_KEYS, '[API key]');
  const isText = LOG_FORMAT === 'auto' ? isatty(STDOUT) : LOG_FORMAT === 'text';
  const format = isText ? await createTextFormat() : (line: string) => line;
  const streamWrite = (line: string) => format(redact(line).replaceAll(CONTROL, '\ufffd'));
  // At the exit, `pino.destination` would wait for a full disk for ever.
  const destination = new sonicBoom.SonicBoom({ fd: STDOUT, maxLength: MAX_BUFFERED });
  // After an error, such as a full disk, the next line is another attempt.
  destination.on('error', () => {});
  return pino({ level: LOG_LEVEL, base: null, hooks: { streamWrite } }, destination);
}

/** Reads the catalogue's key, which may have any form. @returns `API_KEYS` while its file is missing or empty */
function readOwnKey(config: Config): string | RegExp {
  try {
    return readApiKey(config);
  } catch {
    return API_KEYS;
  }
}

/** Lines for people. A request has one line, as in the log of the server. */
async function createTextFormat(): Promise<(line: string) => string> {
  const { isColorSupported, prettyFactory } = await import('pino-pretty');
  return prettyFactory({
    colorize: isColorSupported,
    translateTime: 'UTC:HH:MM:ss.l',
    singleLine: true,
    // By default, pino-pretty writes `error`, here a text, on a line of its own.
    errorLikeObjectKeys: ['err'],
    ignore: 'method,route,status,durationMs',
    messageFormat: ({ msg, method, route, status, durationMs }) =>
      method === undefined ? String(msg) : `${method} ${route} ${status} ${durationMs} ms`,
  });
}

/**
 * Logs each request when its response is ready. The line has the route instead of the path, which can contain an API
 * key. The pet store's line with the same request id has the number of the animal.
 */
export const accessLog = (logger: Logger) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const start = performance.now();
    await next();
    const { status } = c.res;
    const durationMs = Math.round(performance.now() - start);
    const request = { ...c.var, method: c.req.method, route: routePath(c), status, durationMs };
    logger[status < 500 ? 'info' : 'error'](request);
  });
