import { RequestValidationError } from '@ts-rest/express';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { HttpError } from './http-error.ts';
import type { RequestContext } from './pipeline.ts';
import type { Response } from './response.ts';

/** While the database is away every request fails in the same way: the log has one line in this time. */
const OUTAGE_LOG_INTERVAL_MS = 1_000;

/**
 * Creates the one function that turns whatever was thrown into a response with the Error body. What a
 * caller cannot act on is logged under the request id and never sent. The code is noted with the request.
 */
export function createErrorResponses({ logger, database }: { logger: Logger; database: Database }) {
  let quietUntil = 0;

  function log(error: HttpError, thrown: unknown, { requestId, trace }: RequestContext): void {
    if (error.status === 503) {
      const now = performance.now();
      if (now < quietUntil) return;
      quietUntil = now + OUTAGE_LOG_INTERVAL_MS;
    }
    logger.error({ requestId, trace_id: trace?.traceId, err: thrown }, error.message);
  }

  return (thrown: unknown, request: RequestContext): Response => {
    const error = toHttpError(thrown, database);
    request.error = error.code;
    if (error.status >= 500 && error !== thrown) log(error, thrown, request);
    return error.toResponse();
  };
}

function toHttpError(thrown: unknown, database: Database): HttpError {
  if (thrown instanceof HttpError) return thrown;
  if (thrown instanceof RequestValidationError) return fromValidation(thrown);
  // Express cannot decode a path parameter such as %ZZ: it names no pet.
  if (thrown instanceof URIError) return new HttpError('pet_not_found');
  switch (database.classify(thrown)) {
    case 'busy':
      return new HttpError('overloaded');
    case 'unavailable':
      return new HttpError('database_unavailable');
    default:
      return new HttpError('internal_error');
  }
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
