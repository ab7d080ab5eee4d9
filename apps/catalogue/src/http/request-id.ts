import { randomUUID } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './env.ts';

/** As the pet store accepts it, so that both have the same (packages/contract/README.md, Responses). */
const REQUEST_ID = /^[\w.-]{1,128}$/;

/** Version 00 of W3C Trace Context, section 3.2. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Takes the request id of the proxy, or makes one, and responds with it. */
export const requestId = createMiddleware<AppEnv>(async (c, next) => {
  const sent = c.req.header('x-request-id') ?? '';
  const id = REQUEST_ID.test(sent) ? sent : randomUUID();
  const traceparent = c.req.header('traceparent') ?? '';
  c.set('requestId', id);
  c.set('traceparent', TRACEPARENT.test(traceparent) ? traceparent : undefined);
  c.header('X-Request-Id', id);
  await next();
});
