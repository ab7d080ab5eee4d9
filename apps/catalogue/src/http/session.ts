import { createMiddleware } from 'hono/factory';
import type { Config } from '../config.ts';
import { sendMessage } from '../pages/message.tsx';
import type { AppEnv } from './env.ts';

/** Requires the user whom the organisation's proxy has signed in. */
export const requireUser = ({ TRUSTED_USER_HEADER, NODE_ENV }: Config) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const user = c.req.header(TRUSTED_USER_HEADER) || (NODE_ENV === 'development' && 'developer');
    if (!user) return sendMessage(c, 401);
    // Node.js reads headers as Latin-1, while proxies write names in UTF-8.
    c.set('user', Buffer.from(user, 'latin1').toString());
    return next();
  });
