import { type Version, v1 } from '@petstore/contract';
import { createExpressEndpoints, type RequestValidationError } from '@ts-rest/express';
import type { IRouter, NextFunction } from 'express';
import type { Context } from '../../context.ts';
import { petHandlers } from '../../pets/handlers.ts';
import { Urls } from './urls.ts';

/** A version of the interface that this server implements. */
export interface ServedVersion {
  readonly version: Version;
  /** Adds the endpoints of the version with their handlers. */
  addEndpoints(app: IRouter, context: Context, options: EndpointOptions): void;
}

/** What ts-rest is told for every version. */
export interface EndpointOptions {
  logInitialization: boolean;
  requestValidationErrorHandler(
    error: RequestValidationError,
    req: unknown,
    res: unknown,
    next: NextFunction,
  ): void;
}

/** The versions side by side. A resource of a contract without handlers does not compile. */
export const servedVersions: readonly ServedVersion[] = [
  {
    version: v1,
    addEndpoints(app, context, options) {
      const urls = new Urls(v1.prefix, context.config.PUBLIC_BASE_URL);
      createExpressEndpoints(v1.contract, { pets: petHandlers(context, urls) }, app, options);
    },
  },
];
