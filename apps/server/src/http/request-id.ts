import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

const WELL_FORMED = /^[\w.-]{1,128}$/;

/** Gives every request an id that answer and log share: the caller's when it is well-formed, else a new one. */
export const identifyRequest: RequestHandler = (req, res, next) => {
  const sent = req.headers['x-request-id'];
  res.locals.requestId = typeof sent === 'string' && WELL_FORMED.test(sent) ? sent : randomUUID();
  res.setHeader('X-Request-Id', res.locals.requestId);
  next();
};
