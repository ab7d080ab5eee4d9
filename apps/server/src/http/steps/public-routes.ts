import type { Context } from '../../context.ts';
import type { Step } from '../pipeline.ts';
import { docsRoutes } from '../public/docs.ts';
import { healthRoutes } from '../public/health.ts';
import { openApiRoutes } from '../public/openapi.ts';
import type { Response } from '../response.ts';
import { methodNotAllowed } from '../routing/routes.ts';

/** Responds to GET and HEAD at a path without a key. */
export type PublicRoute = () => Response | Promise<Response>;

/** Serves the paths that need no key: probes, documentation and the OpenAPI document. */
export function servePublicRoutes(context: Context): Step {
  const routes: ReadonlyMap<string, PublicRoute> = new Map(
    Object.entries({
      ...healthRoutes(context),
      ...docsRoutes(),
      ...openApiRoutes(context.config, context.versions),
    }),
  );
  return (request) => {
    const route = routes.get(request.path);
    if (route === undefined) return undefined;
    const { method } = request.req;
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method, ['GET', 'HEAD']);
    request.routeTemplate = request.path;
    return route();
  };
}
