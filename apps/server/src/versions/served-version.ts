import { codesOf, deprecationHeaders, type Route, type Version } from '@petstore/contract';
import type { RequestValidationError } from '@ts-rest/express';
import type { IRouter, NextFunction, Response } from 'express';
import type { Database } from '../database/database.ts';
import { HttpError } from '../http/http-error.ts';
import type { OperationStep } from '../http/request-context.ts';
import type { ListCache } from '../http/steps/cache-lists.ts';
import type { CreateQueue } from '../pets/create-queue.ts';
import type { Urls } from './urls.ts';

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

/** Notes the route for the log, and announces a deprecation to the caller. */
function beginOperation({ prefix, contract }: Version, { root }: Urls): OperationStep {
  const links = { documentation: `${root}/docs`, root };
  const routes = Object.values(contract).flatMap((resource) => Object.values(resource));
  const headersOf = new Map(
    routes.map(({ metadata: { deprecation } }) => [
      deprecation,
      deprecation ? deprecationHeaders(deprecation, links) : {},
    ]),
  );
  return ({ tsRestRoute: { path, metadata } }, res, next) => {
    const { notes } = res.locals;
    notes.route = prefix + path;
    notes.isDeprecated = metadata.deprecation !== undefined;
    res.set(headersOf.get(metadata.deprecation) ?? {});
    next();
  };
}

/** 404 for an invalid path parameter, because the interface gives getPet no 400; otherwise 400. */
function validationError(
  { pathParams, headers, query, body }: RequestValidationError,
  route: Route,
): HttpError {
  const [notFound = 'path_not_found'] = codesOf(route.responses[404]);
  if (pathParams) return new HttpError(notFound);
  if (headers) {
    const isKey = headers.issues.some(({ path }) => path?.[0] === 'idempotency-key');
    const code = isKey ? 'invalid_idempotency_key' : 'malformed_request';
    return new HttpError(code, describe('The header', headers.issues));
  }
  if (query) return new HttpError('invalid_parameter', describe('The query', query.issues));
  return new HttpError('invalid_body', describe('The body', body?.issues ?? []));
}

type Issue = Readonly<{ message: string; path?: readonly unknown[] | undefined }>;

function describe(subject: string, issues: readonly Issue[]): string {
  const sentences = issues.map(
    ({ path = [], message }) => `${path.map(String).join('.') || subject} ${message}`,
  );
  return `${sentences.join('; ')}.`;
}
