import { type RouteMetadata, type Version, v1 } from '@petstore/contract';
import { type Operation, operations } from '../contract.ts';

/** A route of the contract whose path is that of a request. */
export interface MatchingRoute {
  operation: Operation;
  method: string;
  metadata: RouteMetadata;
  /** The parameter of the path, percent-encoded as it was sent. */
  parameter: string;
}

const { contract }: Version = v1;

const isOperation = (name: string): name is Operation => name in operations;

const routes = Object.values(contract)
  .flatMap((resource) => Object.entries(resource))
  .map(([operation, { method, path, metadata }]) => {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`);
    return { operation, method, metadata, pattern };
  });

/** The routes of a path: one for each of its methods. */
export function findRoutes(pathname: string): MatchingRoute[] {
  return routes.flatMap(({ operation, pattern, ...route }) => {
    const match = pattern.exec(pathname);
    return match && isOperation(operation) ? [{ ...route, operation, parameter: match[1] ?? '' }] : [];
  });
}
