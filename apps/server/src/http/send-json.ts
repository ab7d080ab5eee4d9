import { stringifyJson } from '@petstore/contract';
import type { Response } from 'express';
import type { AnswerCache } from './answer-cache.ts';
import { endTogether } from './end-together.ts';
import { entityTagOf, namesEntityTag } from './entity-tag.ts';
import { routeTemplate } from './routing.ts';

declare module 'node:http' {
  interface OutgoingMessage {
    /** Node's types have it for requests only. */
    getRawHeaderNames(): string[];
  }
}

/**
 * Sends a value as lossless JSON: how every answer of the service is made. A GET that succeeds gets an
 * entity tag, and 304 in place of a body that the caller has already; anything else is not to be stored.
 *
 * @param cache where an answer is kept whose validity is known
 */
export function sendJson(res: Response, value: unknown, cache?: AnswerCache): void {
  const body = stringifyJson(value);
  const { method, headers } = res.req;
  const isTagged = res.statusCode === 200 && (method === 'GET' || method === 'HEAD');
  if (res.hasHeader('Cache-Control') || !isTagged) {
    if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
    describeBody(res, body);
    // A creation's neighbours have waited for its commit already: they leave together as it is.
    res.end(body);
    return;
  }
  const etag = entityTagOf(body, res.get('Link'));
  res.setHeader('Cache-Control', 'private, no-cache');
  res.setHeader('ETag', etag);
  const { validity } = res.locals;
  if (cache && validity && headers.origin === undefined) {
    const route = routeTemplate(res.req.route);
    cache.keep(res.req.originalUrl, { head: fieldsOf(res), body, etag, validity, route });
  }
  if (namesEntityTag(headers['if-none-match'], etag)) {
    endTogether(res.status(304));
    return;
  }
  describeBody(res, body);
  endTogether(res, body);
}

function describeBody(res: Response, body: string): void {
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', Buffer.byteLength(body));
}

/** The request's and the connection's own. */
const OWN = ['X-Request-Id', 'Connection'];

/** The header fields so far, but for those that another answer would not have. */
const fieldsOf = (res: Response) =>
  res
    .getRawHeaderNames()
    .filter((name) => !OWN.includes(name))
    .flatMap((name) => [name, String(res.getHeader(name))]);
