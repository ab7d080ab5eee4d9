import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { KeyRing } from '../keys/key-ring.ts';
import { HttpError } from './http-error.ts';

const BEARER = /^Bearer +(\S.*)$/i;

/** The bearer token of a request (RFC 6750, 2.1), or `undefined`. */
export const findBearerToken = ({ headers }: IncomingMessage): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1];

/**
 * Lets a request on when it carries a valid API key as a bearer token (interface: Authentication,
 * RFC 6750). Nothing else of the request is looked at before, and its body is not read.
 */
export const authenticate =
  (keyRing: KeyRing): RequestHandler =>
  async (req, res, next) => {
    const key = findBearerToken(req);
    if (key === undefined) throw unauthorized('missing_api_key');
    // Most keys are known: their requests go on at once, without a turn of the promise queue.
    const name = keyRing.findTrusted(key) ?? (await keyRing.findName(key));
    if (name === undefined) throw unauthorized('invalid_api_key');
    res.locals.keyName = name;
    next();
  };

function unauthorized(code: 'missing_api_key' | 'invalid_api_key'): HttpError {
  const challenge = 'Bearer realm="petstore"';
  return code === 'missing_api_key'
    ? new HttpError(code, 'Send an API key: Authorization: Bearer <API_KEY>.', {
        'WWW-Authenticate': challenge,
      })
    : new HttpError(code, undefined, { 'WWW-Authenticate': `${challenge}, error="invalid_token"` });
}
