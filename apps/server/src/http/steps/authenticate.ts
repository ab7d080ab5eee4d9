import type { ApiKey } from '../pipeline/request-context.ts';
import type { Step } from '../pipeline/step.ts';
import { HttpError } from '../responses/http-error.ts';

const BEARER = /^Bearer +(\S.*)$/i;

/** Knows the API keys. */
interface KeyFinder {
  /** Finds a valid key; `undefined` when it is unknown, revoked or expired. */
  find(token: string): Promise<ApiKey | undefined>;
}

/**
 * Passes a request on when it carries a valid API key as a bearer token (interface: Authentication,
 * RFC 6750, 2.1). Nothing else of the request is looked at before, and its body is not read.
 *
 * @param realm names the service in challenges
 */
export function authenticate(keys: KeyFinder, realm: string): Step {
  return async (request) => {
    const token = BEARER.exec(request.req.headers.authorization ?? '')?.[1];
    if (token === undefined) {
      const hint = 'Send an API key: Authorization: Bearer <API_KEY>.';
      throw new HttpError('missing_api_key', hint, challenge(realm));
    }
    const key = await keys.find(token);
    if (key === undefined) {
      throw new HttpError('invalid_api_key', undefined, challenge(realm, { error: 'invalid_token' }));
    }
    request.apiKey = key;
    return undefined;
  };
}

/**
 * Refuses an API key that lacks the scope of the operation (RFC 6750, 3.1). A key that may write may also read.
 *
 * @param realm names the service in challenges
 */
export function requireScope(realm: string): Step {
  return ({ route, apiKey }) => {
    if (route?.scope !== 'write' || apiKey?.scope === 'write') return undefined;
    const attributes = { error: 'insufficient_scope', scope: route.scope };
    throw new HttpError('insufficient_scope', undefined, challenge(realm, attributes));
  };
}

/**
 * The `WWW-Authenticate` header of a response that refuses an API key (RFC 6750, 3).
 *
 * @returns its name and value
 */
function challenge(realm: string, attributes: Readonly<Record<string, string>> = {}): [string, string] {
  const all = Object.entries({ realm, ...attributes });
  return ['WWW-Authenticate', `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`];
}
