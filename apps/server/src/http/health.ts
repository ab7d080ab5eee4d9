import type { IRouter } from 'express';
import type { Context } from '../context.ts';
import { HttpError } from './http-error.ts';
import { sendJson } from './send-json.ts';

/** Who asks whether a server is ready does not wait long: a database that takes longer is not. */
const READY_MS = 1_000;

/** `/livez`: the process answers. `/readyz`: it can serve, the database included. They say no more than that. */
export function serveHealth(app: IRouter, { database, lifecycle }: Pick<Context, 'database' | 'lifecycle'>) {
  app.get('/livez', (_req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    sendJson(res, { status: 'ok' });
  });
  app.get('/readyz', async (_req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    if (lifecycle.isStopping) throw new HttpError('stopping');
    await inTime(database.probe());
    sendJson(res, { status: 'ok' });
  });
}

async function inTime(answer: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new HttpError('database_unavailable')), READY_MS);
  await Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}

export const healthRoutes = [
  { method: 'GET', path: '/livez' },
  { method: 'GET', path: '/readyz' },
] as const;
