import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { HttpError } from './http-error.ts';
import { contextOf, toIpv4 } from './request-context.ts';
import { sendJson } from './send-json.ts';

/** While the database is away every request fails in the same way: the log has one line in this time. */
const OUTAGE_LOG_INTERVAL_MS = 1_000;

/** Statuses of requests that were refused for what they asked for: an operator wants to know which caller asks for what. */
const REFUSALS = new Set([401, 404, 405]);

/**
 * Creates the error handler, the one function that turns whatever was thrown into a response with the Error body. What a
 * caller cannot act on is logged under the request id and never sent. The code is noted with the request.
 *
 * @param classify what the parts of the service throw; `undefined` for what none of them knows
 */
export function handleErrors(
  logger: Logger,
  classify: (thrown: unknown) => HttpError | undefined,
): ErrorRequestHandler {
  let quietUntil = 0;

  function log(error: HttpError, thrown: unknown, res: Response): void {
    if (error.status === 503) {
      const now = performance.now();
      if (now < quietUntil) return;
      quietUntil = now + OUTAGE_LOG_INTERVAL_MS;
    }
    const { requestId, traceId } = contextOf(res);
    logger.error({ requestId, trace_id: traceId, err: thrown }, error.message);
  }

  return (thrown: unknown, req, res, _next) => {
    const error =
      thrown instanceof HttpError ? thrown : (classify(thrown) ?? new HttpError('internal_error'));
    if (error.status >= 500 && error !== thrown) log(error, thrown, res);
    if (res.headersSent) {
      // Part of a response has left: only its end can still tell the caller that it is not whole.
      res.destroy();
      return;
    }
    const context = contextOf(res);
    context.error = error.code;
    if (REFUSALS.has(error.status)) context.caller = toIpv4(req.ip);
    res.status(error.status).set(error.headers).set('Cache-Control', 'no-store');
    sendJson(res, error.toJson());
  };
}
