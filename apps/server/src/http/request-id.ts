import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

const WELL_FORMED = /^[\w.-]{1,128}$/;

/** The id of a request: the caller's when it is well-formed, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && WELL_FORMED.test(sent) ? sent : randomUUID();
}

/** Gives every request an id that answer and log share. */
export const identifyRequest: RequestHandler = (req, res, next) => {
  res.locals.requestId = requestIdOf(req);
  res.setHeader('X-Request-Id', res.locals.requestId);
  next();
};
