import type { AppRoute } from '@ts-rest/core';
import { ErrorBody, type statusOf } from './error.ts';
import type { commonErrorCodes, RouteMetadata } from './route-metadata.ts';

/** A route with what the contract says of it beyond ts-rest's own properties. */
export type Route = AppRoute & { metadata: RouteMetadata };

/**
 * One version of the interface: everything below its prefix. Versions share the table of error codes and the
 * notations of values; schemas and routes are each version's own.
 */
export interface Version<Resource extends string = string> {
  /** The version prefix, which every base URL includes. */
  prefix: `/v${number}`;
  /** One router for each resource; the paths of its routes begin with the prefix. */
  contract: Record<Resource, Record<string, Route>>;
  /** What each resource is, for documentation. */
  tags: Record<Resource, string>;
}

type CommonStatus = ReturnType<typeof statusOf<(typeof commonErrorCodes)[number]>>;

/** The responses that every operation of every version can give: the statuses of {@link commonErrorCodes}. */
export const commonResponses = {
  400: ErrorBody,
  401: ErrorBody,
  408: ErrorBody,
  417: ErrorBody,
  429: ErrorBody,
  431: ErrorBody,
  500: ErrorBody,
  503: ErrorBody,
} as const satisfies Record<CommonStatus, typeof ErrorBody>;
