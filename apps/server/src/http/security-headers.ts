import type { RequestHandler } from 'express';

/** No browser is to guess another media type than the one we give. */
export const secureAnswer: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};
