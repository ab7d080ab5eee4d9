import type { AppRoute } from '@ts-rest/core';
import type { IRouter, RequestHandler } from 'express';
import { HttpError } from './http-error.ts';

/** Answers what no route took: 405 with Allow on a path that takes other methods, 404 elsewhere. */
export function refuseOthers(app: IRouter, routes: readonly Pick<AppRoute, 'method' | 'path'>[]): void {
  const methods = new Map<string, string[]>();
  for (const { method, path } of routes) {
    const allowed = method === 'GET' ? ['GET', 'HEAD'] : [method];
    methods.set(path, [...(methods.get(path) ?? []), ...allowed]);
  }
  for (const [path, allowed] of methods) app.all(path, refuseMethod(allowed));
}

const refuseMethod =
  (allowed: readonly string[]): RequestHandler =>
  (req) => {
    const list = allowed.join(', ');
    throw new HttpError('method_not_allowed', `${req.method} is not allowed here: ${list} are.`, {
      Allow: list,
    });
  };

export const refusePath: RequestHandler = () => {
  throw new HttpError('path_not_found', 'Nothing is at this path. The animals are at /v1/pets.');
};

/** The path of an Express route, with the names of its parameters; `undefined` for one that is a pattern. */
export const routeTemplate = (route: unknown): string | undefined =>
  typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string'
    ? route.path
    : undefined;
