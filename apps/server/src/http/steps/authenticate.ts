import { HttpError } from '../http-error.ts';
import { type ApiKey, contextOf, type OperationStep, type Step } from '../request-context.ts';

const BEARER = /^Bearer +(\S.*)$/i;

export interface KeyFinder {
  /** Finds a valid key; `undefined` when it is unknown, revoked or expired. */
  find(token: string): Promise<ApiKey | undefined>;
}

/**
 * Passes a request on if it has a valid API key as a bearer token (interface: Authentication, RFC 6750, 2.1). This step
 * comes before all that reads the path's parameters, the query or the body.
 * @param realm names the service in challenges
 */
export function authenticate(keys: KeyFinder, realm: string): Step {
  return async (req, res, next) => {
    const token = BEARER.exec(req.headers.authorization ?? '')?.[1];
    if (token === undefined) {
      const hint = 'Send an API key: Authorization: Bearer <API_KEY>.';
      throw new HttpError('missing_api_key', hint, challenge(realm));
    }
    const key = await keys.find(token);
    if (key === undefined) {
      throw new HttpError('invalid_api_key', undefined, challenge(realm, { error: 'invalid_token' }));
    }
    contextOf(res).apiKey = key;
    next();
  };
}

/**
 * Refuses an API key that lacks the scope of the operation (RFC 6750, 3.1). A key that may write may also read.
 * @param realm names the service in challenges
 */
export function requireScope(realm: string): OperationStep {
  return ({ tsRestRoute }, res, next) => {
    const { scope } = tsRestRoute.metadata;
    if (scope === 'write' && contextOf(res).apiKey?.scope !== 'write') {
      const attributes = { error: 'insufficient_scope', scope };
      throw new HttpError('insufficient_scope', undefined, challenge(realm, attributes));
    }
    next();
  };
}

/** The `WWW-Authenticate` header of a response that refuses an API key (RFC 6750, 3). */
function challenge(realm: string, attributes: Readonly<Record<string, string>> = {}) {
  const all = Object.entries({ realm, ...attributes });
  return { 'WWW-Authenticate': `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}` };
}
