import type { RequestHandler } from 'express';

/** Sets what every answer has: the id that the log has too, and that no browser is to guess another media type. */
export const setCommonFields: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Request-Id', res.locals.requestId);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};
