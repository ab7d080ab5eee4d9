import type { Deprecation, Scope } from '@petstore/contract';
import { HttpError } from '../http-error.ts';
import type { ServedVersion } from './versions.ts';

/** An operation of the contract, as the steps before its handler see it. */
export interface Route {
  readonly method: string;
  /** Path template, such as `/v1/pets/:petId`. */
  readonly template: string;
  readonly pattern: RegExp;
  readonly deprecation: Deprecation | undefined;
  /** What the API key must be allowed to do. */
  readonly scope: Scope;
  /** The version prefix of its path. */
  readonly prefix: string;
}

/** The operations of all versions. */
export class Routes {
  readonly #routes: readonly Route[];

  constructor(versions: readonly ServedVersion[]) {
    this.#routes = versions.flatMap(({ version: { prefix, contract } }) =>
      Object.values(contract)
        .flatMap((resource) => Object.values(resource))
        .map(({ method, path, metadata }) => ({
          method,
          template: path,
          pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
          deprecation: metadata.deprecation,
          scope: metadata.scope,
          prefix,
        })),
    );
  }

  /** Finds the operation that a method and a path name; HEAD names that of GET. */
  find(method: string | undefined, path: string): Route | undefined {
    const wanted = method === 'HEAD' ? 'GET' : method;
    return this.#routes.find((route) => route.method === wanted && route.pattern.test(path));
  }

  /** The methods that a path takes; none for a path that no version has. */
  methodsOf(path: string): string[] {
    return this.#routes
      .filter(({ pattern }) => pattern.test(path))
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  }
}

/** Methods of RFC 9110 and PATCH (RFC 5789). */
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

/** Whether paths refuse a method with 405; any other is not implemented at all (RFC 9110, 15.6.2). */
export const isKnownMethod = (method: string | undefined) => KNOWN_METHODS.includes(method ?? '');

/** The error for a method that a path does not take (RFC 9110, 15.5.6). */
export function methodNotAllowed(method: string | undefined, allowed: readonly string[]): HttpError {
  const list = allowed.join(', ');
  return new HttpError('method_not_allowed', `${method} is not allowed here, only ${list}.`, ['Allow', list]);
}
