import { HttpError } from '../responses/http-error.ts';

/** Methods of RFC 9110 and PATCH (RFC 5789). */
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

/** Whether paths refuse a method with 405; any other is not implemented at all (RFC 9110, 15.6.2). */
export const isKnownMethod = (method: string | undefined) => KNOWN_METHODS.includes(method ?? '');

/** The error for a method that a path does not take (RFC 9110, 15.5.6). */
export function methodNotAllowed(method: string | undefined, allowed: readonly string[]): HttpError {
  const list = allowed.join(', ');
  return new HttpError('method_not_allowed', `${method} is not allowed here, only ${list}.`, ['Allow', list]);
}
