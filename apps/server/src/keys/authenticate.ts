import { HttpError } from '../http/http-error.ts';
import { type Middleware, type OperationMiddleware, timeDatabase } from '../http/request-context.ts';
import type { ApiKey } from './api-key.ts';
import type { KeyRing } from './key-ring.ts';

/** A token of any form. The scheme is case-insensitive (RFC 9110, 11.1). */
const BEARER = /^Bearer +(\S.*)$/i;

/** The name of the service in `WWW-Authenticate` headers (RFC 6750, 3). */
const REALM = 'petstore';

declare global {
  namespace Express {
    interface Locals {
      caller?: ApiKey;
    }
  }
}

/**
 * The API key of the caller.
 * @throws Error where `authenticate` has not run: middleware before it cannot know the caller
 */
export function callerOf({ locals }: { readonly locals: Express.Locals }): ApiKey {
  if (locals.caller === undefined) throw new Error('The request is not authenticated yet');
  return locals.caller;
}

/**
 * Requires a valid API key as a bearer token (interface: Authentication, RFC 6750, 2.1). No middleware before it reads
 * the path's parameters, the query or the body.
 */
export function authenticate(keys: KeyRing): Middleware {
  return async (req, res, next) => {
    const token = BEARER.exec(req.headers.authorization ?? '')?.[1];
    if (token === undefined) {
      const hint = 'Send an API key: Authorization: Bearer <API_KEY>.';
      throw new HttpError('missing_api_key', hint, challenge());
    }
    const key = await timeDatabase(res, keys.find(token));
    if (key === undefined) {
      throw new HttpError('invalid_api_key', undefined, challenge({ error: 'invalid_token' }));
    }
    res.locals.caller = key;
    res.locals.notes.key = key.name;
    next();
  };
}

/** Refuses an API key that lacks the scope of the operation (RFC 6750, 3.1). A key that may write may also read. */
export const requireScope: OperationMiddleware = ({ tsRestRoute }, res, next) => {
  const { scope } = tsRestRoute.metadata;
  if (scope === 'write' && callerOf(res).scope !== 'write') {
    throw new HttpError('insufficient_scope', undefined, challenge({ error: 'insufficient_scope', scope }));
  }
  next();
};

function challenge(attributes: Readonly<Record<string, string>> = {}) {
  const all = Object.entries({ realm: REALM, ...attributes });
  return { 'WWW-Authenticate': `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}` };
}
