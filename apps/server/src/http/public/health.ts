import type { Context } from '../../context.ts';
import type { Database } from '../../database/database.ts';
import { HttpError } from '../http-error.ts';
import { jsonResponse } from '../response.ts';
import type { PublicRoute } from '../steps/public-routes.ts';

/** A database that takes longer to respond to a probe is not ready. */
const READY_MS = 1_000;

/** Whether a path is that of a probe, which is never refused because of overload. */
export const isProbe = (path: string) => path === '/livez' || path === '/readyz';

/** `/livez`: the process responds. `/readyz`: it can serve, the database included. Both say no more. */
export function healthRoutes(
  context: Pick<Context, 'database' | 'connections'>,
): Record<'/livez' | '/readyz', PublicRoute> {
  return {
    '/livez': () => jsonResponse(200, { status: 'ok' }),
    '/readyz': async () => {
      await assertReady(context);
      return jsonResponse(200, { status: 'ok' });
    },
  };
}

/** Whether the service can serve, the database included. */
export const isReady = (context: Parameters<typeof assertReady>[0]): Promise<boolean> =>
  assertReady(context).then(
    () => true,
    () => false,
  );

async function assertReady({
  database,
  connections,
}: Pick<Context, 'database' | 'connections'>): Promise<void> {
  if (connections.isStopping) throw new HttpError('stopping');
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new HttpError('database_unavailable')), READY_MS);
  await Promise.race([probe(database), promise]).finally(() => clearTimeout(timer));
}

const probing = new WeakMap<Database, Promise<void>>();

/** One probe of the database at a time serves all who ask meanwhile: they need no key to ask. */
function probe(database: Database): Promise<void> {
  const running = probing.get(database);
  if (running !== undefined) return running;
  const started = Promise.resolve(database.probe()).finally(() => probing.delete(database));
  probing.set(database, started);
  return started;
}
