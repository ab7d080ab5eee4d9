import type { IncomingMessage } from 'node:http';
import { matchesEntityTag, namesEntityTag } from '../cache/entity-tag.ts';
import { HttpError } from './http-error.ts';
import type { Response } from './response.ts';

/**
 * Evaluates If-Match and If-None-Match (RFC 9110, 13.2.2). Express's `req.fresh` would ignore both beside
 * the `Cache-Control: no-cache` that every fetch adds to a conditional request.
 *
 * @returns the response itself, or 304 when the caller has its body already
 * @throws HttpError `precondition_failed`
 */
export function applyPreconditions({ headers }: IncomingMessage, response: Response): Response {
  const { etag } = response;
  if (etag === undefined) return response;
  if (headers['if-match'] !== undefined && !matchesEntityTag(headers['if-match'], etag)) {
    throw new HttpError('precondition_failed');
  }
  return namesEntityTag(headers['if-none-match'], etag) ? notModified(response) : response;
}

/** Headers that describe a body, which a 304 does not have. */
const DESCRIBES_BODY = /^Content-/;

function notModified({ headers }: Response): Response {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    if (!DESCRIBES_BODY.test(name)) kept.push(name, value);
  }
  return { status: 304, headers: kept };
}
