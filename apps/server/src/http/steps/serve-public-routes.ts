import { methodNotAllowed } from '../pipeline/methods.ts';
import type { Readiness } from '../pipeline/readiness.ts';
import type { RequestContext } from '../pipeline/request-context.ts';
import type { Step } from '../pipeline/step.ts';
import { jsonResponse, type Response } from '../responses/response.ts';

/** Responds to GET and HEAD at a path without a key. */
export type PublicRoute = (request: RequestContext) => Response | Promise<Response>;

/** Serves the paths that need no key, such as probes and documentation. */
export function servePublicRoutes(publicRoutes: Readonly<Record<string, PublicRoute>>): Step {
  const routes = new Map(Object.entries(publicRoutes));
  return (request) => {
    const route = routes.get(request.path);
    if (route === undefined) return undefined;
    const { method } = request.req;
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method, ['GET', 'HEAD']);
    request.routeTemplate = request.path;
    return route(request);
  };
}

const OK = jsonResponse(200, '{"status":"ok"}');

/** `/livez`: the process responds. `/readyz`: it can serve, the database included. Both say no more. */
export const healthRoutes = (readiness: Readiness): Record<'/livez' | '/readyz', PublicRoute> => ({
  '/livez': () => OK,
  '/readyz': async () => {
    await readiness.assert();
    return OK;
  },
});

/** Whether a path is that of a probe, which is never refused because of overload. */
export const isProbe = (path: string) => path === '/livez' || path === '/readyz';
