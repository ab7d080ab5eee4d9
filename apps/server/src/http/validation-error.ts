import type { RequestValidationError } from '@ts-rest/express';
import { HttpError } from './http-error.ts';

/** What ts-rest's validation found, as far as every kind of schema tells it. */
type Findings = NonNullable<RequestValidationError['body']>;

/**
 * The answer to a request that the contract's schemas refuse: 404 for a path that names no animal
 * (the interface gives getPet no 400), 400 otherwise.
 */
export function fromValidation({ pathParams, headers, query, body }: RequestValidationError): HttpError {
  if (pathParams)
    return new HttpError('pet_not_found', 'No animal has this id: it is not an int64 in canonical notation.');
  if (headers) return new HttpError('invalid_idempotency_key', describe('The header', headers));
  if (query) return new HttpError('invalid_parameter', describe('The query', query));
  return new HttpError('invalid_body', body ? describe('The body', body) : undefined);
}

function describe(subject: string, { issues }: Findings): string {
  const sentences = issues.map(
    ({ path = [], message }) => `${path.map(String).join('.') || subject} ${message}`,
  );
  return `${sentences.join('; ')}.`;
}
