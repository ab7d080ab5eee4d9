import { deprecationHeaders, type Version, v1 } from '@petstore/contract';
import type { IRouter } from 'express';
import type { Operation } from '../http/pipeline/routes.ts';
import { addEndpoints } from './endpoints.ts';
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
  addEndpoints(router: IRouter, parts: OperationParts): void;
}

/** The versions side by side. A resource of a contract without handlers does not compile. */
export const servedVersions: readonly ServedVersion[] = [
  {
    version: v1,
    addEndpoints(router, parts) {
      const urls = new Urls(v1.prefix, parts.publicBaseUrl);
      addEndpoints(router, v1.contract, { pets: petHandlers(parts, urls) });
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
