import type { IncomingMessage } from 'node:http';
import {
  deprecationHeaders,
  type ErrorCode,
  type Route,
  statusOf,
  type Version,
  v1,
} from '@petstore/contract';
import type { AppRoute } from '@ts-rest/core';
import { createExpressEndpoints, type RequestValidationError } from '@ts-rest/express';
import type { IRouter, NextFunction, Response } from 'express';
import { z } from 'zod';
import { HttpError } from '../http/http-error.ts';
import { enterOperation, type Operation, type Step } from '../http/request-context.ts';
import { type PetParts, petHandlers } from './pets.ts';
import { Urls } from './urls.ts';

/** What the operations are made from. */
export interface OperationParts extends PetParts {
  /** With the prefix of version 1, whatever the version. */
  publicBaseUrl: string | undefined;
}

/** A version of the interface that this server implements. */
export interface ServedVersion {
  readonly version: Version;
  /** Adds the endpoints of the version with their handlers, each behind the steps. */
  addEndpoints(app: IRouter, parts: OperationParts, steps: readonly Step[]): void;
}

/** Version 1. A resource or an operation of the contract without a handler does not compile. */
export const servedVersion1: ServedVersion = {
  version: v1,
  addEndpoints(app, parts, steps) {
    const urls = new Urls(v1.prefix, parts.publicBaseUrl);
    const handlers = { pets: petHandlers(parts, urls) };
    createExpressEndpoints(v1.contract, handlers, app, endpointOptions(v1, urls, steps));
  },
};

/** A request whose route ts-rest has noted. */
type RoutedRequest = IncomingMessage & { tsRestRoute: AppRoute };

/** The options of ts-rest for a version: each request passes the steps once Express has found its route. */
export function endpointOptions({ contract }: Version, urls: Urls, steps: readonly Step[]) {
  const routes = Object.values(contract).flatMap((resource) => Object.values(resource));
  const operations = new Map<AppRoute, Operation>(routes.map((route) => [route, operationOf(route, urls)]));
  const codes = new Map<AppRoute, readonly ErrorCode[]>(
    routes.map((route) => [route, route.metadata.errorCodes]),
  );
  const enter = ({ tsRestRoute }: RoutedRequest, res: Response, next: NextFunction) => {
    const operation = operations.get(tsRestRoute);
    if (operation !== undefined) enterOperation(operation, res);
    next();
  };
  return {
    globalMiddleware: [enter, ...steps],
    requestValidationErrorHandler: (
      error: RequestValidationError,
      { tsRestRoute }: RoutedRequest,
      _res: Response,
      next: NextFunction,
    ) => next(validationError(error, codes.get(tsRestRoute) ?? [])),
  };
}

function operationOf(route: Route, urls: Urls): Operation {
  const { scope, deprecation } = route.metadata;
  const links = { documentation: urls.docs, baseUrl: urls.base };
  return {
    template: route.path,
    scope,
    hasBody: 'body' in route && typeof route.body === 'object' && route.body !== null,
    isList: route.method === 'GET' && route.responses[200] instanceof z.core.$ZodArray,
    headers: deprecation ? deprecationHeaders(deprecation, links) : {},
    isDeprecated: deprecation !== undefined,
  };
}

/**
 * The error of a request of which the contract's schemas refuse a part: 404 for a path that names nothing (the interface
 * gives getPet no 400), 400 otherwise.
 *
 * @param codes of the operation
 */
function validationError(
  { pathParams, headers, query, body }: RequestValidationError,
  codes: readonly ErrorCode[],
): HttpError {
  if (pathParams) return new HttpError(codes.find((code) => statusOf(code) === 404) ?? 'path_not_found');
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
