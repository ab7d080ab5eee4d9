import type { Logger } from 'pino';
import { HttpError } from '../responses/http-error.ts';
import type { Response } from '../responses/response.ts';
import type { RequestContext } from './request-context.ts';

/** While the database is away every request fails in the same way: the log has one line in this time. */
const OUTAGE_LOG_INTERVAL_MS = 1_000;

/**
 * Creates the one function that turns whatever was thrown into a response with the Error body. What a
 * caller cannot act on is logged under the request id and never sent. The code is noted with the request.
 *
 * @param classify what the parts of the service throw; `undefined` for what none of them knows
 */
export function createErrorResponses(logger: Logger, classify: (thrown: unknown) => HttpError | undefined) {
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
    const error =
      thrown instanceof HttpError ? thrown : (classify(thrown) ?? new HttpError('internal_error'));
    request.error = error.code;
    if (error.status >= 500 && error !== thrown) log(error, thrown, request);
    return error.toResponse();
  };
}
