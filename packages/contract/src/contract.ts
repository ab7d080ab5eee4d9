import { initContract } from '@ts-rest/core';
import { ErrorBody } from './error.ts';
import { pets } from './pets.ts';

/** The version prefix that every base address includes (interface: Versioning). */
export const VERSION_PREFIX = '/v1';

/**
 * The interface: one router a resource, so that store orders can stand beside `pets` when they are
 * described. Every operation can also give the common responses.
 */
export const contract = initContract().router(
  { pets },
  {
    pathPrefix: VERSION_PREFIX,
    strictStatusCodes: true,
    commonResponses: {
      401: ErrorBody,
      408: ErrorBody,
      417: ErrorBody,
      431: ErrorBody,
      500: ErrorBody,
      503: ErrorBody,
    },
  },
);
