import { deprecationHeaders, type Route, type Version, v1 } from '@petstore/contract';
import { createExpressEndpoints, type RequestValidationError } from '@ts-rest/express';
import type { IRouter, NextFunction, Response } from 'express';
import type { OperationMiddleware } from '../http/request-context.ts';
import { Urls } from '../http/urls.ts';
import { validationError } from '../http/validation-error.ts';
import { type PetParts, petHandlers } from '../pets/handlers-v1.ts';

interface VersionParts extends PetParts {
  /** As configured: it ends with `/v1`, also for later versions. */
  publicBaseUrl: string | undefined;
}

export interface ServedVersion {
  readonly version: Version;
  /** Adds the endpoints to the router of the version, each behind the middleware. */
  addEndpoints(router: IRouter, parts: VersionParts, middleware: readonly OperationMiddleware[]): void;
}

/** TypeScript reports each resource and operation of the contract that has no handler. */
export const servedVersion1: ServedVersion = {
  version: v1,
  addEndpoints(router, parts, middleware) {
    const urls = new Urls(v1.prefix, parts.publicBaseUrl);
    const handlers = { pets: petHandlers(parts, urls) };
    createExpressEndpoints(v1.contract, handlers, router, endpointOptions(v1, urls, middleware));
  },
};

export const servedVersions: readonly ServedVersion[] = [servedVersion1];

/** The options of ts-rest for a version. Each request passes the middleware after Express has found its route. */
export function endpointOptions(version: Version, urls: Urls, middleware: readonly OperationMiddleware[]) {
  return {
    globalMiddleware: [beginOperation(version, urls), ...middleware],
    requestValidationErrorHandler: (
      error: RequestValidationError,
      { tsRestRoute }: { readonly tsRestRoute: Route },
      _res: Response,
      next: NextFunction,
    ) => next(validationError(error, tsRestRoute)),
  };
}

/** Notes the route for the log, and announces a deprecation to the caller. */
function beginOperation({ prefix }: Version, { root }: Urls): OperationMiddleware {
  const links = { documentation: `${root}/docs`, root };
  return ({ tsRestRoute: { path, metadata } }, res, next) => {
    const { notes } = res.locals;
    notes.route = prefix + path;
    notes.isDeprecated = metadata.deprecation !== undefined;
    if (metadata.deprecation) res.set(deprecationHeaders(metadata.deprecation, links));
    next();
  };
}

/** The methods of each path, for the `Allow` header. */
export function methodsByPath({ contract }: Version): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const { path, method } of Object.values(contract).flatMap((routes) => Object.values(routes))) {
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    paths.set(path, [...(paths.get(path) ?? []), ...methods]);
  }
  return paths;
}

/** The methods that any path takes: for CORS, and for the `Allow` header of a refused CONNECT. */
export const methodsOf = (versions: readonly ServedVersion[]) => [
  ...new Set(versions.flatMap(({ version }) => [...methodsByPath(version).values()].flat())),
];
