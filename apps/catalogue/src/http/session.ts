import { isUtf8 } from 'node:buffer';
import type { BlockList } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Config } from '../config.ts';
import { SignInPage } from '../pages/failure.tsx';
import type { AppEnv } from './env.ts';
import { sendPage } from './send-page.ts';

/** Requires the user whom the organisation's proxy has signed in. */
export const requireUser = ({ TRUSTED_USER_HEADER, TRUSTED_PROXIES, NODE_ENV }: Config) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const isFromProxy = isIn(TRUSTED_PROXIES, c);
    const user = isFromProxy ? c.req.header(TRUSTED_USER_HEADER) : undefined;
    const fallback = NODE_ENV === 'development' ? 'developer' : undefined;
    const name = user || fallback;
    if (name === undefined) return sendPage(c, SignInPage({ requestId: c.var.requestId }), 401);
    c.set('user', decode(name));
    return next();
  });

/** Whether the peer of the connection, not what a header says of it, is one of the addresses. */
function isIn(networks: BlockList, c: Context): boolean {
  const { address, addressType } = getConnInfo(c).remote;
  return address !== undefined && networks.check(address, addressType === 'IPv6' ? 'ipv6' : 'ipv4');
}

/** Node.js reads headers as Latin-1, while proxies write names in UTF-8. */
function decode(name: string): string {
  const bytes = Buffer.from(name, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : name;
}
