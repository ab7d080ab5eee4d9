import { deprecationHeaders, type Version } from '@petstore/contract';
import type { OperationStep } from '../request-context.ts';
import type { Urls } from '../urls.ts';

/** Notes the route for the log, and announces a deprecation to the caller. */
export function beginOperation({ prefix, contract }: Version, { root }: Urls): OperationStep {
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
