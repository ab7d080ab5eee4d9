import { deprecationHeaders, type Version, v1 } from '@petstore/contract';
import type { Operation } from '@petstore/http/pipeline/routes';
import { createExpressEndpoints, type RequestValidationError } from '@ts-rest/express';
import type { IRouter, NextFunction } from 'express';
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
  /** Adds the endpoints of the version with their handlers. */
  addEndpoints(router: IRouter, parts: OperationParts, options: EndpointOptions): void;
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
    addEndpoints(router, parts, options) {
      const urls = new Urls(v1.prefix, parts.publicBaseUrl);
      createExpressEndpoints(v1.contract, { pets: petHandlers(parts, urls) }, router, options);
    },
  },
];

/** The operations of a version, as the steps before their handlers see them. */
export function operationsOf({ prefix, contract }: Version, publicBaseUrl: string | undefined): Operation[] {
  const urls = new Urls(prefix, publicBaseUrl);
  const links = { documentation: urls.docs, baseUrl: urls.base };
  return Object.values(contract)
    .flatMap((resource) => Object.values(resource))
    .map(({ method, path, metadata: { scope, deprecation } }) => ({
      method,
      template: path,
      scope,
      headers: deprecation ? Object.entries(deprecationHeaders(deprecation, links)).flat() : [],
      isDeprecated: deprecation !== undefined,
    }));
}
