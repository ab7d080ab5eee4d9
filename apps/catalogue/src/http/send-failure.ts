import type { AnyPetStoreError } from '@petstore/client';
import type { Context } from 'hono';
import { PetStoreFailurePage } from '../pages/failure.tsx';
import type { AppEnv } from './env.ts';
import { sendPage } from './send-page.ts';

/** How long a page waits before it tries again, unless the pet store asks for longer. */
const RETRY_DELAY_MS = 3_000;

export const retryDelayOf = ({ retryAfterMs = 0 }: AnyPetStoreError) =>
  Math.max(RETRY_DELAY_MS, retryAfterMs);

/** Says in a header when the same request may succeed (RFC 9110, section 10.2.3). */
export const setRetryAfter = (c: Context, error: AnyPetStoreError) =>
  c.header('Retry-After', String(Math.ceil(retryDelayOf(error) / 1_000)));

/** Responds to a request for a page that the pet store could not give. */
export function sendFailure(c: Context<AppEnv>, error: AnyPetStoreError): Response | Promise<Response> {
  // The browser has gone away: nothing reads the response, and the log says so as nginx does.
  if (error.name === 'AbortError') return new Response(null, { status: 499 });
  if (error.isRetryable) setRetryAfter(c, error);
  const { pathname, search } = new URL(c.req.url);
  const path = pathname + search;
  const page = PetStoreFailurePage({ error, path, retryDelayMs: retryDelayOf(error), ...c.var });
  return sendPage(c, page, error.isRetryable ? 503 : 502);
}
