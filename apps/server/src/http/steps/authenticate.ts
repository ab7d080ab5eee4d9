import type { KeyRing } from '../../keys/key-ring.ts';
import { HttpError } from '../http-error.ts';
import type { RequestContext, Step } from '../pipeline.ts';

const BEARER = /^Bearer +(\S.*)$/i;

/**
 * Passes a request on when it carries a valid API key as a bearer token (interface: Authentication,
 * RFC 6750, 2.1). Nothing else of the request is looked at before, and its body is not read.
 */
export function authenticate(keyRing: KeyRing): Step {
  async function lookUp(request: RequestContext, token: string): Promise<undefined> {
    request.apiKey = await keyRing.find(token);
    if (request.apiKey === undefined) throw unauthorized('invalid_api_key');
  }

  return (request) => {
    const token = BEARER.exec(request.req.headers.authorization ?? '')?.[1];
    if (token === undefined) {
      throw unauthorized('missing_api_key', 'Send an API key: Authorization: Bearer <API_KEY>.');
    }
    // Most keys are known: their requests do not wait for a promise.
    request.apiKey = keyRing.findTrusted(token);
    return request.apiKey === undefined ? lookUp(request, token) : undefined;
  };
}

/** A 401 with the challenge that it must carry (RFC 6750, 3). */
function unauthorized(code: 'missing_api_key' | 'invalid_api_key', detail?: string): HttpError {
  const attributes = code === 'invalid_api_key' ? { error: 'invalid_token' } : {};
  return new HttpError(code, detail, bearerChallenge(attributes));
}

/**
 * The `WWW-Authenticate` header of a response that refuses an API key (RFC 6750, 3).
 *
 * @param attributes of the challenge, such as `error`
 * @returns its name and value
 */
export function bearerChallenge(attributes: Readonly<Record<string, string>> = {}): [string, string] {
  const all = Object.entries({ realm: 'petstore', ...attributes });
  return ['WWW-Authenticate', `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`];
}
