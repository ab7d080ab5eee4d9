import { createMiddleware } from 'hono/factory';
import { FormRefusedPage } from '../pages/failure.tsx';
import type { AppEnv } from './env.ts';
import { sendPage } from './send-page.ts';

/**
 * Refuses a form that another site submits with the session of the user (CSRF). Browsers state where a request
 * comes from in headers that pages cannot set, so that neither a token nor a cookie of ours is needed.
 */
export const requireSameOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const isSafe = ['GET', 'HEAD'].includes(c.req.method);
  if (isSafe || isSameOrigin(c.req.raw.headers)) return next();
  return sendPage(c, FormRefusedPage({ title: 'This form came from another site', ...c.var }), 403);
});

/** `Sec-Fetch-Site` is the browser's own verdict; over plain HTTP browsers send `Origin` alone. */
function isSameOrigin(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  // `none` is the user's own doing, such as a reload of a restored tab.
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('origin');
  return origin !== null && URL.parse(origin)?.host === headers.get('host');
}
