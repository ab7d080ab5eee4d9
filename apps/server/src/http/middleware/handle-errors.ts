import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { HttpError } from '../http-error.ts';
import type { TypedResponse } from '../request-context.ts';

/** At most one log line about a 503 in this time: during an outage every request fails in the same way. */
const OUTAGE_LOG_INTERVAL_MS = 1_000;

/**
 * Creates the error handler, which turns any thrown value into an Error body. Express's own would respond in HTML. The
 * log gets the cause of a 5xx status.
 * @param classify returns `undefined` for a bug
 */
export function handleErrors(
  logger: Logger,
  classify: (thrown: unknown) => HttpError | undefined,
): ErrorRequestHandler {
  let quietUntil = 0;

  function log(error: HttpError, thrown: unknown, res: TypedResponse): void {
    if (error.status === 503) {
      const now = performance.now();
      if (now < quietUntil) return;
      quietUntil = now + OUTAGE_LOG_INTERVAL_MS;
    }
    const { requestId, traceId } = res.locals;
    logger.error({ requestId, trace_id: traceId, err: thrown }, error.message);
  }

  return (thrown: unknown, _req, res, _next) => {
    const error =
      thrown instanceof HttpError ? thrown : (classify(thrown) ?? new HttpError('internal_error'));
    // An HttpError that was thrown has no further cause.
    if (error.status >= 500 && error !== thrown) log(error, thrown, res);
    if (res.headersSent) {
      // A cut connection tells the caller that the response is incomplete.
      res.destroy();
      return;
    }
    const { code, message, status, headers } = error;
    res.status(status).set('Cache-Control', 'no-store').set(headers).json({ code, message, status });
  };
}
