import type { Context } from '../../context.ts';
import { HttpError } from '../http-error.ts';
import { jsonResponse } from '../response.ts';
import type { PublicRoute } from '../steps/public-routes.ts';

/** A database that takes longer to respond to a probe is not ready. */
const READY_MS = 1_000;

/** Whether a path is that of a probe, which is never refused because of overload. */
export const isProbe = (path: string) => path === '/livez' || path === '/readyz';

/** `/livez`: the process responds. `/readyz`: it can serve, the database included. Both say no more. */
export function healthRoutes({
  database,
  connections,
}: Pick<Context, 'database' | 'connections'>): Record<'/livez' | '/readyz', PublicRoute> {
  let probing: Promise<void> | undefined;

  /** One probe of the database at a time serves all who ask meanwhile: they need no key to ask. */
  function probe(): Promise<void> {
    probing ??= Promise.resolve(database.probe()).finally(() => {
      probing = undefined;
    });
    return probing;
  }

  return {
    '/livez': () => jsonResponse(200, { status: 'ok' }),
    '/readyz': async () => {
      if (connections.isStopping) throw new HttpError('stopping');
      await inTime(probe());
      return jsonResponse(200, { status: 'ok' });
    },
  };
}

async function inTime(probe: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new HttpError('database_unavailable')), READY_MS);
  await Promise.race([probe, promise]).finally(() => clearTimeout(timer));
}
