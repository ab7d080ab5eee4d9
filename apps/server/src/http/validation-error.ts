import { codesOf, type Route } from '@petstore/contract';
import type { RequestValidationError } from '@ts-rest/express';
import { HttpError } from './http-error.ts';

/** 404 for an invalid path parameter, because the interface gives getPet no 400; otherwise 400. */
export function validationError(
  { pathParams, headers, query, body }: RequestValidationError,
  route: Route,
): HttpError {
  const [notFound = 'path_not_found'] = codesOf(route.responses[404]);
  if (pathParams) return new HttpError(notFound);
  if (headers) {
    const isIdempotencyKey = headers.issues.some(({ path }) => path?.[0] === 'idempotency-key');
    const code = isIdempotencyKey ? 'invalid_idempotency_key' : 'malformed_request';
    return new HttpError(code, describe('The header', headers.issues));
  }
  if (query) return new HttpError('invalid_parameter', describe('The query', query.issues));
  return new HttpError('invalid_body', describe('The body', body?.issues ?? []));
}

type Issue = Readonly<{ message: string; path?: readonly unknown[] | undefined }>;

function describe(subject: string, issues: readonly Issue[]): string {
  const sentences = issues.map(
    ({ path = [], message }) => `${path.map(String).join('.') || subject} ${message}`,
  );
  return `${sentences.join('; ')}.`;
}
