import { HttpError } from '@petstore/http/responses/http-error';
import { RequestValidationError } from '@ts-rest/express';

/** Classifies what ts-rest and the router throw about a request; `undefined` for anything else. */
export function classifyValidationError(thrown: unknown): HttpError | undefined {
  if (thrown instanceof RequestValidationError) return fromValidation(thrown);
  // The router cannot decode a path parameter such as %ZZ: it names no pet.
  return thrown instanceof URIError ? new HttpError('pet_not_found') : undefined;
}

/**
 * The error of a request that the contract's schemas refuse: 404 for a path that names no pet (the
 * interface gives getPet no 400), 400 otherwise.
 */
function fromValidation({ pathParams, headers, query, body }: RequestValidationError): HttpError {
  if (pathParams) {
    return new HttpError('pet_not_found', 'No pet has this id: it is not an int64 in canonical notation.');
  }
  if (headers) return new HttpError('invalid_idempotency_key', describe('The header', headers));
  if (query) return new HttpError('invalid_parameter', describe('The query', query));
  return new HttpError('invalid_body', body ? describe('The body', body) : undefined);
}

function describe(subject: string, { issues }: NonNullable<RequestValidationError['body']>): string {
  const sentences = issues.map(
    ({ path = [], message }) => `${path.map(String).join('.') || subject} ${message}`,
  );
  return `${sentences.join('; ')}.`;
}
