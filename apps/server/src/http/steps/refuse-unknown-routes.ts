import { HttpError } from '../http-error.ts';
import type { Step } from '../pipeline.ts';
import { methodNotAllowed, type Routes } from '../routing/routes.ts';

/** Refuses what the contract does not describe: 405 for another method, 404 for another path. */
export function refuseUnknownRoutes(routes: Routes): Step {
  return ({ req, path, route }) => {
    if (route !== undefined) return undefined;
    const allowed = routes.methodsOf(path);
    if (allowed.length > 0) throw methodNotAllowed(req.method, allowed);
    throw new HttpError('path_not_found', 'Nothing is at this path. The pets are at /v1/pets.');
  };
}
