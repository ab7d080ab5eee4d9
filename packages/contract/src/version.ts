import type { Route } from './operation.ts';

/**
 * One version of the interface: everything below its prefix. Versions share the table of error codes and the
 * notations of values; schemas and routes are each version's own.
 */
export interface Version {
  /** Every base URL ends with this prefix (interface: Versioning). */
  prefix: `/v${number}`;
  /** One router for each resource. Paths are relative to the base URL. */
  contract: Record<string, Record<string, Route>>;
  /** The description of each resource, for documentation. */
  tags: Record<string, string>;
}
