import type { AppRoute } from '@ts-rest/core';
import type { AppRouteImplementation } from '@ts-rest/express';

/** A handler for each operation of a resource: one that the contract adds does not compile without. */
export type Handlers<Routes extends Record<string, AppRoute>> = {
  [Name in keyof Routes]: AppRouteImplementation<Routes[Name]>;
};
