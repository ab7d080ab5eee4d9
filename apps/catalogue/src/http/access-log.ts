import { createMiddleware } from 'hono/factory';
import type { Logger } from 'pino';
import type { AppEnv } from './env.ts';

/** Logs each request when its response is ready. Names and form values are not logged. */
export const accessLog = (logger: Logger) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const start = performance.now();
    await next();
    const { method, path } = c.req;
    const { requestId, user } = c.var;
    const durationMs = Math.round(performance.now() - start);
    logger.info({ requestId, user, method, path, status: c.res.status, durationMs }, 'Request');
  });
