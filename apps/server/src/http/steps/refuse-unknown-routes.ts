import { methodNotAllowed } from '../pipeline/methods.ts';
import type { Routes } from '../pipeline/routes.ts';
import type { Step } from '../pipeline/step.ts';
import { HttpError } from '../responses/http-error.ts';

/**
 * Refuses what is no operation: 405 for another method, 404 for another path.
 *
 * @param hint what a caller with another path is told
 */
export function refuseUnknownRoutes(routes: Routes, hint: string): Step {
  return ({ req, path, route }) => {
    if (route !== undefined) return undefined;
    const allowed = routes.methodsOf(path);
    if (allowed.length > 0) throw methodNotAllowed(req.method, allowed);
    throw new HttpError('path_not_found', `Nothing is at this path. ${hint}`);
  };
}
