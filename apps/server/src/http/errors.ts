import { RequestValidationError } from '@ts-rest/express';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { ConnectionError } from '../database/connection-error.ts';
import type { Database } from '../database/database.ts';
import { HttpError } from './http-error.ts';
import { sendJson } from './send-json.ts';
import { fromValidation } from './validation-error.ts';

/** While the database is away or crowded, every request says the same: so often the log does. */
const OUTAGE_INTERVAL_MS = 1_000;

/**
 * The one funnel from whatever was thrown to an Error body. What a caller cannot act on goes to the log,
 * under the request id, and never into the answer.
 */
export function answerErrors({
  logger,
  database,
}: {
  logger: Logger;
  database: Database;
}): ErrorRequestHandler {
  let quietUntil = 0;

  function report(error: HttpError, thrown: unknown, requestId: string): void {
    if (error.status === 503) {
      const now = performance.now();
      if (now < quietUntil) return;
      quietUntil = now + OUTAGE_INTERVAL_MS;
    }
    logger.error({ requestId, err: thrown }, error.message);
  }

  return (thrown: unknown, _req, res, _next) => {
    const error = toHttpError(thrown, database);
    if (error.status >= 500 && error !== thrown) report(error, thrown, res.locals.requestId);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
    res.status(error.status);
    sendJson(res, error.toBody());
  };
}

function toHttpError(thrown: unknown, database: Database): HttpError {
  if (thrown instanceof HttpError) return thrown;
  if (thrown instanceof RequestValidationError) return fromValidation(thrown);
  // Express cannot decode a path parameter such as %ZZ: it names no animal.
  if (thrown instanceof URIError) return new HttpError('pet_not_found');
  if (thrown instanceof ConnectionError && thrown.phase === 'busy') return new HttpError('overloaded');
  if (database.isUnavailable(thrown)) return new HttpError('database_unavailable');
  return new HttpError('internal_error');
}
