import type { Route, Version } from '@petstore/contract';
import type { RequestValidationError } from '@ts-rest/express';
import type { IRouter, NextFunction, Response } from 'express';
import type { Database } from '../database/database.ts';
import { beginOperation } from '../http/middleware/begin-operation.ts';
import type { ListCache } from '../http/middleware/cache-lists.ts';
import type { OperationStep } from '../http/request-context.ts';
import type { Urls } from '../http/urls.ts';
import { validationError } from '../http/validation-error.ts';
import type { CreateQueue } from '../pets/create-queue.ts';

export interface OperationParts {
  database: Database;
  createQueue: CreateQueue;
  /** SQLite only: PostgreSQL has no cheap way to tell whether a list has changed. */
  listCache: ListCache | undefined;
  /** As configured: it ends with `/v1`, also for later versions. */
  publicBaseUrl: string | undefined;
}

export interface ServedVersion {
  readonly version: Version;
  /** Adds the endpoints to the router of the version, each behind the steps. */
  addEndpoints(router: IRouter, parts: OperationParts, steps: readonly OperationStep[]): void;
}

/** The options of ts-rest for a version. Each request passes the steps once Express has found its route. */
export function endpointOptions(version: Version, urls: Urls, steps: readonly OperationStep[]) {
  return {
    globalMiddleware: [beginOperation(version, urls), ...steps],
    requestValidationErrorHandler: (
      error: RequestValidationError,
      { tsRestRoute }: { readonly tsRestRoute: Route },
      _res: Response,
      next: NextFunction,
    ) => next(validationError(error, tsRestRoute)),
  };
}
